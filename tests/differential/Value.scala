// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * Converts values of rows to Scala values that are equal only if nothing distinguishes them: floats
 * by their bits, binaries by their bytes, structs by their fields.
 */
object Value {

  type Row = Vector[Any]

  /** A double or float by its raw bits. */
  final case class Bits(isDouble: Boolean, raw: Long) {
    def toDouble: Double =
      if (isDouble) java.lang.Double.longBitsToDouble(raw)
      else java.lang.Float.intBitsToFloat(raw.toInt).toDouble
    override def toString: String =
      if (toDouble.isNaN) f"NaN($raw%x)" else toDouble.toString
  }

  /** A binary, as hexadecimal digits. */
  final case class Hex(digits: String) {
    override def toString: String = s"X'$digits'"
  }

  def bits(d: Double): Bits = Bits(isDouble = true, java.lang.Double.doubleToRawLongBits(d))

  def bits(f: Float): Bits = Bits(isDouble = false, java.lang.Float.floatToRawIntBits(f).toLong)

  def row(internal: InternalRow, types: Seq[DataType]): Row =
    types.zipWithIndex.map { case (t, i) =>
      if (internal.isNullAt(i)) null else of(internal.get(i, t), t)
    }.toVector

  private def of(value: Any, dataType: DataType): Any = (value, dataType) match {
    case (null, _) => null
    case (d: Double, _) => bits(d)
    case (f: Float, _) => bits(f)
    case (b: Array[Byte], _) => Hex(b.map(x => f"$x%02x").mkString)
    case (r: InternalRow, s: StructType) => row(r, s.map(_.dataType))
    case (a: ArrayData, ArrayType(t, _)) => a.toObjectArray(t).map(of(_, t)).toVector
    case (m: MapData, MapType(k, v, _)) =>
      Vector(of(m.keyArray(), ArrayType(k)), of(m.valueArray(), ArrayType(v)))
    case (d: Decimal, _) => d.toJavaBigDecimal
    case (s: UTF8String, _: StringType) => text(s)
    case (other, _) => other
  }

  /** A string; if it is not valid UTF-8, its bytes behind a mark. */
  private def text(s: UTF8String): String = {
    val read = s.toString
    if (UTF8String.fromString(read) == s) read
    else Invalid + s.getBytes.map(x => f"$x%02x").mkString
  }

  private val Invalid = "\u0001bytes:"

  /** The value that represents all values that SQL holds equal to `value`. */
  def key(value: Any, dataType: DataType): Any = (value, dataType) match {
    case (s: String, t) => collationKey(s, t)
    case (r: Vector[_], s: StructType) => r.zip(s.map(_.dataType)).map { case (v, t) => key(v, t) }
    case (other, _) => normalised(other)
  }

  /** `value` as Spark's aggregations return it: one zero and one NaN. */
  def normalised(value: Any): Any = value match {
    case b: Bits if b.toDouble.isNaN => if (b.isDouble) bits(Double.NaN) else bits(Float.NaN)
    case b: Bits if b.toDouble == 0.0 => b.copy(raw = 0L)
    case r: Vector[_] => r.map(normalised)
    case other => other
  }

  /** As [[key]], but floats keep their bits: only the spelling of merged strings may vary. */
  def modulo(value: Any, dataType: DataType): Any = (value, dataType) match {
    case (s: String, t) => collationKey(s, t)
    case (other, _) => other
  }

  // The collated strings of the tables are ASCII, for which this is the collations' equality.
  private def collationKey(s: String, dataType: DataType): String = {
    val name = dataType.sql.toUpperCase
    val cased = if (name.contains("LCASE") || name.contains("_CI")) s.toLowerCase else s
    if (name.contains("RTRIM")) cased.reverse.dropWhile(_ == ' ').reverse else cased
  }

  /** The value as an SQL expression of its type. */
  def sql(value: Any, dataType: DataType): String = {
    val literal = (value, dataType) match {
      case (null, _) => "NULL"
      case (b: Bits, _) if b.toDouble.isNaN && b.raw < 0 => "(-CAST('NaN' AS DOUBLE))"
      case (b: Bits, _) => s"CAST('${b.toDouble}' AS ${if (b.isDouble) "DOUBLE" else "FLOAT"})"
      case (h: Hex, _) => h.toString
      case (r: Vector[_], s: StructType) =>
        r.zip(s)
          .map { case (v, f) => s"'${f.name}', ${sql(v, f.dataType)}" }
          .mkString("named_struct(", ", ", ")")
      case (r: Vector[_], a: ArrayType) =>
        r.map(sql(_, a.elementType)).mkString("array(", ", ", ")")
      case (n, _: YearMonthIntervalType) => s"make_ym_interval(0, CAST('$n' AS INT))"
      case (n, _: DayTimeIntervalType) =>
        s"make_dt_interval(0, 0, 0, CAST(${n}BD / 1000000BD AS DECIMAL(18,6)))"
      case (n, DateType) => s"date_from_unix_date($n)"
      case (n, TimestampType) => s"timestamp_micros(CAST('$n' AS BIGINT))"
      case (n, TimestampNTZType) =>
        s"timestampadd(MICROSECOND, CAST('$n' AS BIGINT), TIMESTAMP_NTZ'1970-01-01 00:00:00')"
      case (s: String, _) if s.startsWith(Invalid) =>
        s"CAST(X'${s.stripPrefix(Invalid)}' AS STRING)"
      case (s: String, _) => "'" + s.replace("\\", "\\\\").replace("'", "\\'") + "'"
      case (d: java.math.BigDecimal, _) => s"'${d.toPlainString}'"
      case (n: Number, _) => s"'$n'"
      case (other, _) => other.toString
    }
    s"CAST($literal AS ${dataType.sql})"
  }
}

/** The rows that a query returned, in no particular order. */
final case class Answer(types: Seq[DataType], rows: Seq[Value.Row]) {

  /**
   * How often each row appears.
   *
   * @param modulo
   *   whether strings that a collation holds equal count as the same
   */
  def counts(modulo: Boolean): Map[Value.Row, Int] = {
    val compared =
      if (modulo) rows.map(_.zip(types).map { case (v, t) => Value.modulo(v, t) }) else rows
    compared.groupBy(identity).map { case (row, same) => row -> same.length }
  }

  /** The rows as text for a reader, sorted. */
  def show: String =
    if (rows.isEmpty) "  no rows"
    else rows.map(_.mkString("  (", ", ", ")")).sorted.mkString("\n")
}
