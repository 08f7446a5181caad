package io.sparksieve.dynamicfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/**
 * Runs [[PushIntoScan]] where Spark's physical plans are finished, those of adaptive query stages
 * too. Before transitions are put in: scans then stand below filters without one between.
 */
final class PushIntoScanRule(session: SparkSession) extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = new PushIntoScan(session)
}
