// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution._

import io.sparksieve.report.core.{NotPushedReason, ScanNames}

/** A source of rows in memory, which cannot skip any, or a leaf that Sieve does not know. */
private[pushdown] final class OtherSource(scan: SparkPlan) extends Source {

  private val known: Option[String] = scan match {
    case _: LocalTableScanExec => Some("local rows")
    case _: RDDScanExec | _: ExternalRDDScanExec[_] => Some("rdd")
    case _: RangeExec => Some("range")
    case _ => None
  }

  override val name: String = known.getOrElse(scan.nodeName)

  override val place: String = ScanNames(scan)

  override def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer =
    Source.blamed(if (known.nonEmpty) NotPushedReason.TakesNone else NotPushedReason.NotKnown)
}
