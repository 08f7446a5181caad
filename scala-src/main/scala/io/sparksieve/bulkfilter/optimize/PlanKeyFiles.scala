// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, SparkPlan}

import io.sparksieve.bulkfilter.expr.{InFile, InKeySet}
import io.sparksieve.bulkfilter.fused.FuseMembershipTrees
import io.sparksieve.bulkfilter.load.{FileKeys, LoadKeysExec, ValueSet}
import io.sparksieve.common.order.RowOrder
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Features, Guarded, RowFilterExec}
import io.sparksieve.scan.PushKeys

/**
 * Replaces in_file and in_table by predicates that can be executed, whose values Spark reads before
 * the operators that evaluate them run. The conjuncts of a filter push their values down into the
 * scan below, which prunes data that contains none of them:
 * {{{
 *   Filter in_file(a, 'ids.csv') AND b > 5       Filter a in values AND b > 5
 *   +- FileScan [a, b]                      =>   +- DynamicScan [a IN values]
 *                                                   +- FileScan [a, b]
 * }}}
 */
private[bulkfilter] final class PlanKeyFiles(session: SparkSession)
    extends Rule[SparkPlan]
    with PredicateHelper {

  override def apply(plan: SparkPlan): SparkPlan = {
    val loads = new PlanKeyFiles.Loads
    val together = new FuseMembershipTrees(loads(_))
    // Expressions that depend on row order or partitions would expose what a scan prunes, and how
    // it packs files into partitions.
    val mayNarrow = !RowOrder.mattersIn(plan)
    plan.transformUp {
      // A scan evaluates its partition filters while it is planned; InFile reads its values then.
      case scan if scan.children.isEmpty => scan
      case operator if operator.expressions.exists(InFile.in(_).nonEmpty) =>
        val enabled = SieveConf.bulkFilterEnabled(SparkCompat.conf(session))
        val grouped =
          if (!enabled) operator
          else
            Guarded(Features.BulkFilter, FuseMembershipTrees.Name, operator.nodeName, operator) {
              together(operator)
            }
        val ready = grouped.transformExpressions { case leaf: InFile =>
          InKeySet.of(leaf, loads(leaf.members))
        }
        if (enabled && mayNarrow) pushed(ready) else ready
    }
  }

  private def pushed(operator: SparkPlan): SparkPlan = operator match {
    case f: FilterExec => f.withNewChildren(Seq(push(f.condition, f.child)))
    case f: RowFilterExec => f.withNewChildren(Seq(push(f.predicate, f.children.head)))
    case other => other
  }

  private def push(condition: Expression, child: SparkPlan): SparkPlan =
    splitConjunctivePredicates(condition).foldLeft(child) {
      case (below, InKeySet(Seq(key), values, _)) =>
        PushKeys(key, values, below, SparkCompat.conf(session)).getOrElse(below)
      case (below, _) => below
    }
}

private[bulkfilter] object PlanKeyFiles {

  /** The operators that read values: one for each set of values in a plan. */
  private final class Loads {
    private val known = mutable.Map.empty[ValueSet[FileKeys], LoadKeysExec]

    def apply(members: ValueSet[FileKeys]): LoadKeysExec =
      known.getOrElseUpdate(members, LoadKeysExec.of(members))
  }
}

/** Runs [[PlanKeyFiles]] on physical plans before columnar transitions, and on adaptive stages. */
private[sparksieve] final class PlanKeyFilesRule(session: SparkSession) extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PlanKeyFiles(session)
}
