// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

import io.sparksieve.TestedLine

/** A column of each type, with the values on which computations are likely to fail. */
object ExtremeValues {

  def of(spark: SparkSession): Seq[(Attribute, Seq[Any])] = {
    def column(t: DataType, values: Any*) =
      (AttributeReference(t.typeName.filter(_.isLetter), t)(): Attribute) -> (null +: values)
    val texts = Seq("", "a", "word 1", "12", "%_", "a" * 3000).map(UTF8String.fromString) ++
      // Invalid UTF-8: bytes that start no character, and truncated characters.
      Seq(Array(0xff), Array(0x61, 0xc3), Array(0xe2, 0x82), Array(0x80, 0x61)).map(bytes =>
        UTF8String.fromBytes(bytes.map(_.toByte)))
    def decimal(t: DecimalType, values: String*) =
      column(t, values.map(v => Decimal(BigDecimal(v), t.precision, t.scale)): _*)
    val ints = Seq(Int.MinValue, -1, 0, 1, Int.MaxValue)
    val longs = Seq(Long.MinValue, -1L, 0L, 1L, Long.MaxValue)
    val doubles = Seq(
      0.0,
      -0.0,
      1.5,
      Double.NaN,
      Double.MinValue,
      Double.MaxValue,
      Double.MinPositiveValue,
      Double.PositiveInfinity,
      Double.NegativeInfinity)
    val (days, numbers) =
      (ArrayData.toArrayData(ints.toArray), ArrayData.toArrayData(doubles.toArray))
    val point = new StructType().add("x", DateType).add("y", DoubleType)
    val collated =
      if (!TestedLine.atLeast("4.0")) Nil
      else
        Seq("UTF8_LCASE", "UNICODE_CI", "UTF8_BINARY_RTRIM").map { name =>
          column(spark.sql(s"SELECT 'a' COLLATE $name AS c").schema.head.dataType, texts: _*)
        }
    collated ++ Seq(
      column(BooleanType, true, false),
      column(ByteType, Byte.MinValue, -1.toByte, 0.toByte, 1.toByte, Byte.MaxValue),
      column(ShortType, Short.MinValue, -1.toShort, 0.toShort, Short.MaxValue),
      column(IntegerType, ints: _*),
      column(LongType, longs: _*),
      column(FloatType, doubles.map(_.toFloat): _*),
      column(DoubleType, doubles: _*),
      decimal(DecimalType(38, 0), "9" * 38, "0", "-" + "9" * 38),
      decimal(DecimalType(10, 2), "99999999.99", "0.00", "-99999999.99"),
      column(StringType, texts: _*),
      column(BinaryType, Array[Byte](), Array[Byte](-1), Array[Byte](0x61, 0)),
      column(DateType, ints: _*),
      column(TimestampType, longs: _*),
      column(TimestampNTZType, longs: _*),
      column(YearMonthIntervalType(), ints: _*),
      column(DayTimeIntervalType(), longs: _*),
      column(
        CalendarIntervalType,
        new CalendarInterval(Int.MinValue, Int.MaxValue, Long.MinValue),
        new CalendarInterval(0, 0, 0)),
      column(ArrayType(DateType), days, ArrayData.toArrayData(Array[Any](null))),
      column(ArrayType(DoubleType), numbers, ArrayData.toArrayData(Array[Double]())),
      column(
        ArrayType(StringType),
        ArrayData.toArrayData(texts.toArray[Any]),
        ArrayData.toArrayData(Array[Any](null))),
      column(
        point,
        InternalRow(Int.MaxValue, Double.NaN),
        InternalRow(Int.MinValue, -0.0),
        InternalRow(null, null)),
      column(
        MapType(IntegerType, DoubleType),
        new ArrayBasedMapData(ArrayData.toArrayData(Array(1)), ArrayData.toArrayData(Array(0.5))))
    )
  }
}
