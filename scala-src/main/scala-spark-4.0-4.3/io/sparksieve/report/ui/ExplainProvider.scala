// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import org.apache.spark.sql.ExtendedExplainGenerator
import org.apache.spark.sql.execution.SparkPlan

/** The class that adds lines to `EXPLAIN`. */
private[ui] object ExplainProvider {
  val className: Option[String] = Some(classOf[SieveExplainGenerator].getName)
}

/**
 * Adds a section to the output of `explain()` and to the plan in Spark's UI: what Sieve's rules did
 * to the query, why they declined, and what operators measured. Spark creates it by its name.
 */
private[ui] final class SieveExplainGenerator extends ExtendedExplainGenerator {
  override def title: String = "Sieve"
  override def generateExtendedInfo(plan: SparkPlan): String = PlanText(plan)
}
