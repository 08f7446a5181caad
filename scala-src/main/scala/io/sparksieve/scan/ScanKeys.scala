package io.sparksieve.scan

import org.apache.spark.sql.execution.ExecSubqueryExpression
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.KeySet
import io.sparksieve.report.core.Features

/** Keys by which a scan may skip data that contains none of them. */
private[sparksieve] abstract class ScanKeys extends ExecSubqueryExpression {

  /** The type of the keys. */
  def keyType: DataType

  /** The keys, once Spark has waited for them; None if unknown, and then nothing may be skipped. */
  def keys: Option[KeySet]

  /** The feature in whose report the skipped data appears. */
  def feature: String = Features.DynamicFilter
}
