package io.sparksieve.bulkfilter

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, SparkPlan}
import org.apache.spark.sql.execution.sieve.OnThread

import io.sparksieve.{SieveConf, SparkCompat}
import io.sparksieve.adaptivefilter.AdaptiveFilterExec
import io.sparksieve.dynamicfilter.PushIntoScan

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
    val loads = mutable.Map.empty[Members, LoadKeysExec]
    plan.transformUp {
      // A scan asks what partitions it may leave out while it is planned.
      case scan if scan.children.isEmpty => scan
      case operator if operator.expressions.exists(InFile.in(_).nonEmpty) =>
        val ready = operator.transformExpressions { case leaf: InFile =>
          PlanKeyFiles.planned(leaf, loads)
        }
        if (SieveConf.bulkFilterEnabled(SparkCompat.conf(session))) pushed(ready) else ready
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

  private def planned(leaf: InFile, loads: mutable.Map[Members, LoadKeysExec]): InKeys = {
    val load = loads.getOrElseUpdate(leaf.members, LoadKeysExec(KeyFilesExec(leaf.members)))
    InKeys(leaf.keys, BulkKeys(load, leaf.keys.head.dataType), leaf.members)
  }

  /** The predicate with its values, which are read now unless they have been. */
  def loaded(leaf: InFile, session: SparkSession): InKeys = OnThread.active(session) {
    val ready = planned(leaf, mutable.Map.empty)
    ready.set.updateResult()
    ready
  }
}

/** Runs [[PlanKeyFiles]] where physical plans are finished, those of adaptive stages too. */
final class PlanKeyFilesRule(session: SparkSession) extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PlanKeyFiles(session)
}
