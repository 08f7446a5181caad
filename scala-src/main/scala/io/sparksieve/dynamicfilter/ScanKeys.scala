package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.ExecSubqueryExpression
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.KeySet

/** Keys by which a scan may leave out what holds none of them. */
abstract class ScanKeys extends ExecSubqueryExpression {

  /** The type of the keys. */
  def keyType: DataType

  /** The keys, once they have been waited for; None if there are none to leave anything out by. */
  def keys: Option[KeySet]

  /** Whose report tells what the scan has left out. */
  def room: String = InjectDynamicFilter.Room
}
