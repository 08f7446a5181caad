// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.sql.types._

import io.sparksieve.TestedLine

/** Types whose equality merges distinct values, and expressions that cannot tell these apart. */
class RespectsEqualitySuite extends QueryTest with SharedSparkSession {

  private val i = AttributeReference("i", IntegerType)()
  private val d = AttributeReference("d", DoubleType)()
  private val f = AttributeReference("f", FloatType)()
  private val s = AttributeReference("s", StringType)()
  private val st =
    AttributeReference("st", StructType.fromDDL("x INT, y DOUBLE, z STRUCT<w: FLOAT>"))()
  private val m = AttributeReference("m", MapType(IntegerType, IntegerType))()

  private def lit(v: Any): Literal = Literal(v)

  test("types of which equality merges values") {
    val plain = Seq(
      BooleanType,
      ByteType,
      ShortType,
      IntegerType,
      LongType,
      NullType,
      DateType,
      TimestampType,
      TimestampNTZType,
      BinaryType,
      StringType,
      DecimalType(10, 2),
      YearMonthIntervalType(),
      DayTimeIntervalType()
    )
    for (t <- plain) {
      assert(!SetEquality.merges(t) && SetEquality.mergesFloatsOnly(t), t)
      assert(
        !SetEquality.merges(ArrayType(t)) && !SetEquality.merges(
          StructType.fromDDL("a INT").add("b", t)),
        t)
    }
    for (t <- Seq(FloatType, DoubleType)) {
      assert(SetEquality.merges(t) && SetEquality.mergesFloatsOnly(t), t)
      assert(
        SetEquality.merges(ArrayType(t)) && SetEquality.merges(
          new StructType().add("b", ArrayType(t))),
        t)
      assert(
        SetEquality.mergesFloatsOnly(new StructType().add("b", ArrayType(t)).add("i", IntegerType)),
        t)
    }
    // Unknown types count as merging, but not as floats.
    for (t <- Seq(
        MapType(IntegerType, IntegerType),
        CalendarIntervalType,
        ObjectType(classOf[String]))) {
      assert(SetEquality.merges(t) && !SetEquality.mergesFloatsOnly(t), t)
    }
  }

  test("strings of a collation merge, and not as floats do") {
    assume(TestedLine.atLeast("4.0"))
    val collated = sql("SELECT 'a' COLLATE UTF8_LCASE AS c").schema.head.dataType
    assert(SetEquality.merges(collated) && !SetEquality.mergesFloatsOnly(collated))
    assert(!SetEquality.merges(StringType))
  }

  test("what respects it") {
    val fields = GetStructField(st, 1, Some("y"))
    val deep = GetStructField(GetStructField(st, 2, Some("z")), 0, Some("w"))
    for (e <- Seq[Expression](
        EqualTo(d, lit(0.0)),
        GreaterThan(d, lit(1.0)),
        LessThanOrEqual(lit(1.0), d),
        EqualNullSafe(d, lit(Double.NaN)),
        IsNull(d),
        IsNotNull(d),
        IsNaN(d),
        In(d, Seq(lit(0.0), lit(1.0))),
        InSet(d, Set[Any](0.0)),
        Not(EqualTo(d, lit(0.0))),
        And(IsNaN(d), Or(EqualTo(d, lit(1.0)), EqualTo(s, lit("x")))),
        EqualTo(Cast(f, DoubleType), lit(0.0)),
        EqualTo(fields, lit(0.0)),
        EqualTo(deep, lit(0.0f)),
        GreaterThan(GetStructField(st, 0, Some("x")), lit(1)),
        EqualTo(st, st),
        IsNull(m),
        EqualTo(Length(s), lit(1)),
        EqualTo(Cast(i, StringType), lit("1")),
        d,
        GreaterThan(Add(d, Multiply(d, lit(2.0))), lit(1.0)),
        EqualTo(Divide(lit(1.0), d), lit(0.0)),
        EqualTo(Cast(d, IntegerType), lit(0)),
        EqualTo(Coalesce(Seq(d, lit(1.0))), lit(0.0)),
        EqualTo(Concat(Seq(Cast(IsNaN(d), StringType), s)), lit("true")),
        // The text of a double that is cast from an integer is a function of the integer.
        EqualTo(Cast(Cast(i, DoubleType), StringType), lit("1.0"))
      )) {
      assert(RespectsEquality(e), e)
    }
  }

  test("what does not respect it") {
    for (e <- Seq[Expression](
        Cast(d, StringType),
        EqualTo(Cast(d, StringType), lit("-0.0")),
        EqualTo(Cast(Multiply(d, lit(2.0)), StringType), lit("-0.0")),
        EqualTo(Cast(Abs(d), StringType), lit("0.0")),
        GreaterThan(Pow(d, lit(-1.0)), lit(0.0)),
        GreaterThan(Atan2(d, lit(-1.0)), lit(0.0)),
        EqualTo(Cast(GetStructField(st, 1, Some("y")), StringType), lit("0.0")),
        EqualTo(Cast(st, StringType), lit("x")),
        EqualTo(Murmur3Hash(Seq(d), 42), lit(1)),
        EqualTo(Size(m), lit(1)),
        Coalesce(Seq(EqualTo(Cast(f, StringType), lit("0")), Literal.FalseLiteral)),
        GreaterThan(Rand(lit(1L)), lit(0.5)),
        And(IsNaN(d), EqualTo(Cast(d, StringType), lit("NaN")))
      )) {
      assert(!RespectsEquality(e), e)
    }
  }
}
