// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/** Casts values of a file to the key's type. */
private[bulkfilter] object KeyCast {

  /** Whether values of type `file` may be compared with keys of type `key`. */
  def comparable(file: DataType, key: DataType, isText: Boolean): Boolean =
    file == key || ((file, key) match {
      case (_: NumericType, _: NumericType) => true
      case (StringType, StringType) => true
      case (StringType, other) => isText && Cast.canAnsiCast(StringType, other)
      case (from, to) => isDay(from) && isDay(to)
    })

  private def isDay(dataType: DataType) = dataType match {
    case DateType | TimestampType | TimestampNTZType => true
    case _ => false
  }

  /** Casts the value of a column to the key's type; NULL if the cast fails or loses information. */
  def value(raw: Expression, column: KeyColumn): Expression =
    if (!isChecked(column)) padded(cast(raw, column), column)
    else {
      val made = cast(raw, column)
      backCheck(raw, made, column).fold(made)(same => If(same, made, Literal(null, made.dataType)))
    }

  /** Whether some values of the column may be invalid as values of the key's type. */
  def isChecked(column: KeyColumn): Boolean =
    column.fileType != column.keyType && (column.isText ||
      !Cast.canUpCast(column.fileType, column.keyType) && !isMidnight(column))

  // A DATE becomes the timestamp at which its day begins. In some time zones and years that is not
  // midnight, as in Spark's cast. No DATE is invalid, so no check is needed.
  private def isMidnight(column: KeyColumn) = column.fileType == DateType

  private def cast(raw: Expression, column: KeyColumn): Expression =
    if (column.fileType == column.keyType) raw
    else tryCast(raw, column.keyType, column.zone)

  private def tryCast(e: Expression, to: DataType, zone: Option[String]) =
    Cast(e, to, zone, EvalMode.TRY)

  private def time(e: Expression) = tryCast(e, TimestampNTZType, None)

  private def padded(value: Expression, column: KeyColumn) = column.padTo match {
    case Some(n) if column.keyType == StringType =>
      If(LessThan(Length(value), Literal(n)), StringRPad(value, Literal(n), Literal(" ")), value)
    case _ => value
  }

  /** A predicate that is true if the cast lost nothing; None if it cannot lose anything. */
  private def backCheck(raw: Expression, made: Expression, column: KeyColumn): Option[Expression] =
    (column.fileType, column.keyType) match {
      // Text with more fractional digits than the key's scale is a different number.
      case (StringType, d: DecimalType) =>
        val whole = d.precision - d.scale
        val wide = DecimalType(DecimalType.MAX_PRECISION, DecimalType.MAX_PRECISION - whole)
        Some(EqualTo(tryCast(raw, wide, None), tryCast(made, wide, None)))
      // Spark's cast ignores the text after the day.
      case (StringType, DateType) =>
        Some(EqualTo(time(raw), time(made)))
      case (StringType, _) => None
      case (from, _) => Some(EqualTo(tryCast(made, from, column.zone), raw))
    }
}
