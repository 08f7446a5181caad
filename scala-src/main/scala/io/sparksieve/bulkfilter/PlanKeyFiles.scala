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
 * Makes predicates that can run of in_file and in_table, and has Spark read their values before the
 * operators that ask them run. A filter's predicates that must be true give their values to the
 * scan below, which leaves out what holds none of them:
 * {{{
 *   Filter in_file(a, 'ids.csv') AND b > 5       Filter a in values AND b > 5
 *   +- FileScan [a, b]                      =>   +- DynamicScan [a IN values]
 *                                                   +- FileScan [a, b]
 * }}}
 */
final class PlanKeyFiles(session: SparkSession) extends Rule[SparkPlan] with PredicateHelper {

  override def apply(plan: SparkPlan): SparkPlan = {
    val loads = new PlanKeyFiles.Loads
    val together = new AskTogether(loads(_))
    // What is skipped in a scan, and how its files make partitions, shows in them.
    val mayNarrow = !plan.exists(RowOrder.matters(_: SparkPlan))
    plan.transformUp {
      // A scan asks what partitions it may leave out while it is planned.
      case scan if scan.children.isEmpty => scan
      case operator if operator.expressions.exists(InFile.in(_).nonEmpty) =>
        val enabled = SieveConf.bulkFilterEnabled(SparkCompat.conf(session))
        val grouped =
          if (!enabled) operator
          else
            Guarded(BulkFilters.Room, AskTogether.Name, operator.nodeName, operator) {
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
      case (below, InKeys(Seq(key), values, _)) =>
        new PushIntoScan(session).push(key, values, below).getOrElse(below)
      case (below, _) => below
    }
}

private[bulkfilter] object PlanKeyFiles {

  /** What reads values, once for a plan. */
  private final class Loads {
    private val known = mutable.Map.empty[Members, LoadKeysExec]

    def apply(members: Members): LoadKeysExec =
      known.getOrElseUpdate(members, LoadKeysExec(KeyFilesExec(members)))
  }

  private def planned(leaf: InFile, loads: Loads): InKeys =
    InKeys(leaf.keys, BulkKeys(loads(leaf.members), leaf.keys.head.dataType), leaf.members)

  /** The predicate with its values, which are read now unless they have been. */
  def loaded(leaf: InFile, session: SparkSession): InKeys = OnThread.active(session) {
    val ready = planned(leaf, new Loads)
    ready.set.updateResult()
    ready
  }
}

/** Runs [[PlanKeyFiles]] where physical plans are finished, those of adaptive stages too. */
final class PlanKeyFilesRule(session: SparkSession) extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PlanKeyFiles(session)
}
