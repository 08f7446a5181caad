// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BaseGenericInternalRow
import org.apache.spark.sql.types._

/**
 * A record as a row of columns, in the order in which Spark requires them. Nothing is copied: a
 * column is computed only when it is read. One object serves all records, one after the other.
 */
private[rangesource] final class RecordRow(schema: StructType) extends BaseGenericInternalRow {

  private val columns = schema.fields.map(f => RangeColumn.named(f.name).orNull)
  private val isWide = schema.fields.map(_.dataType.isInstanceOf[DecimalType])
  private val structs = schema.fields.map(_.dataType match {
    case inner: StructType => new RecordRow(inner)
    case _ => null
  })

  // There is at most one struct.
  private val inner = structs.find(_ != null).orNull

  private var record: RangeDbRecord = _

  /** Sets the record of this row, and returns the row. */
  def of(record: RangeDbRecord): RecordRow = {
    this.record = record
    if (inner != null) inner.of(record)
    this
  }

  override def numFields: Int = columns.length

  override def isNullAt(ordinal: Int): Boolean = false

  override def getInt(ordinal: Int): Int = record.key

  override def getLong(ordinal: Int): Long =
    if (columns(ordinal) == RangeColumn.Squared) record.squared else record.cubed

  override def getStruct(ordinal: Int, numFields: Int): InternalRow = structs(ordinal)

  override protected def genericGet(ordinal: Int): Any = columns(ordinal) match {
    case RangeColumn.Key => record.key
    case RangeColumn.Squared => record.squared
    case RangeColumn.Cubed =>
      if (isWide(ordinal)) Decimal(BigDecimal(record.wideCubed), RangeColumn.WideCube.precision, 0)
      else record.cubed
    case _ => structs(ordinal)
  }

  override def setNullAt(ordinal: Int): Unit = unsupported

  override def update(ordinal: Int, value: Any): Unit = unsupported

  private def unsupported = throw new UnsupportedOperationException("a record cannot be changed")
}
