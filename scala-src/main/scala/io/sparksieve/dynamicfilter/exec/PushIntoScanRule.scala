package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/**
 * Runs [[PushIntoScan]] when Spark finishes a physical plan, including those of adaptive query
 * stages. Runs before Spark inserts columnar transitions, while no transition separates scans from
 * the filters above them.
 */
private[sparksieve] final class PushIntoScanRule(session: SparkSession) extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = new PushIntoScan(session)
}
