package io.sparksieve.bulkfilter

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/**
 * Makes predicates that can run of in_file and in_table, and has Spark read their values before the
 * operators that ask them run.
 */
final class PlanKeyFiles extends Rule[SparkPlan] {

  override def apply(plan: SparkPlan): SparkPlan = {
    val loads = mutable.Map.empty[Members, LoadKeysExec]
    plan.transformUp {
      // A scan asks what partitions it may leave out while it is planned.
      case scan if scan.children.isEmpty => scan
      case operator if operator.expressions.exists(_.exists(_.isInstanceOf[InFile])) =>
        operator.transformExpressions { case leaf: InFile => PlanKeyFiles.planned(leaf, loads) }
    }
  }
}

private[bulkfilter] object PlanKeyFiles {

  private def planned(leaf: InFile, loads: mutable.Map[Members, LoadKeysExec]): InKeys = {
    val load = loads.getOrElseUpdate(leaf.members, LoadKeysExec(KeyFilesExec(leaf.members)))
    InKeys(leaf.keys, BulkKeys(load), leaf.members.sql("?"))
  }

  /** The predicate with its values, which are read now unless they have been. */
  def loaded(leaf: InFile, session: SparkSession): InKeys = session.withActive {
    val ready = planned(leaf, mutable.Map.empty)
    ready.set.updateResult()
    ready
  }
}

/** Runs [[PlanKeyFiles]] where physical plans are finished, those of adaptive stages too. */
final class PlanKeyFilesRule extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PlanKeyFiles
}
