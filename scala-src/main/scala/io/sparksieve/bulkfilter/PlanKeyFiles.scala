package io.sparksieve.bulkfilter

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, SparkPlan}
import org.apache.spark.sql.execution.sieve.OnThread

import io.sparksieve.{SieveConf, SparkCompat}
import io.sparksieve.adaptivefilter.AdaptiveFilterExec
import io.sparksieve.common.RowOrder
import io.sparksieve.dynamicfilter.PushIntoScan
import io.sparksieve.report.Guarded

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
final class PlanKeyFiles(session: SparkSession) extends Rule[SparkPlan] with PredicateHelper {

  override def apply(plan: SparkPlan): SparkPlan = {
    val loads = new PlanKeyFiles.Loads
    val together = new FuseMembershipTrees(loads(_))
    // Expressions that depend on row order or partitions would expose what a scan prunes, and how
    // it packs files into partitions.
    val mayNarrow = !plan.exists(RowOrder.matters(_: SparkPlan))
    plan.transformUp {
      // A scan evaluates its partition filters while it is planned; InFile reads its values then.
      case scan if scan.children.isEmpty => scan
      case operator if operator.expressions.exists(InFile.in(_).nonEmpty) =>
        val enabled = SieveConf.bulkFilterEnabled(SparkCompat.conf(session))
        val grouped =
          if (!enabled) operator
          else
            Guarded(BulkFilters.Feature, FuseMembershipTrees.Name, operator.nodeName, operator) {
              together(operator)
            }
        val ready = grouped.transformExpressions { case leaf: InFile =>
          PlanKeyFiles.planned(leaf, loads)
        }
        if (enabled && mayNarrow) pushed(ready) else ready
    }
  }

  private def pushed(operator: SparkPlan): SparkPlan = operator match {
    case f: FilterExec => f.withNewChildren(Seq(push(f.condition, f.child)))
    case f: AdaptiveFilterExec => f.withNewChildren(Seq(push(f.condition, f.child)))
    case other => other
  }

  private def push(condition: Expression, child: SparkPlan): SparkPlan =
    splitConjunctivePredicates(condition).foldLeft(child) {
      case (below, InKeySet(Seq(key), values, _)) =>
        new PushIntoScan(session).push(key, values, below).getOrElse(below)
      case (below, _) => below
    }
}

private[bulkfilter] object PlanKeyFiles {

  /** The operators that read values: one for each set of values in a plan. */
  private final class Loads {
    private val known = mutable.Map.empty[ValueSource, LoadKeysExec]

    def apply(members: ValueSource): LoadKeysExec =
      known.getOrElseUpdate(members, LoadKeysExec(KeyFilesExec(members)))
  }

  private def planned(leaf: InFile, loads: Loads): InKeySet =
    InKeySet(leaf.keys, BulkKeys(loads(leaf.members), leaf.keys.head.dataType), leaf.members)

  /** The predicate with its values. They are read now, unless they have been read already. */
  def loaded(leaf: InFile, session: SparkSession): InKeySet = OnThread.active(session) {
    val ready = planned(leaf, new Loads)
    ready.set.updateResult()
    ready
  }
}

/** Runs [[PlanKeyFiles]] on physical plans before columnar transitions, and on adaptive stages. */
final class PlanKeyFilesRule(session: SparkSession) extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PlanKeyFiles(session)
}
