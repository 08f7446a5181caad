// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/** Expressions that cannot fail, and expressions that may fail. */
class CannotFailSuite extends AnyFunSuite {

  private val i = AttributeReference("i", IntegerType)()
  private val j = AttributeReference("j", IntegerType)()
  private val d = AttributeReference("d", DoubleType)()
  private val s = AttributeReference("s", StringType)()
  private val day = AttributeReference("day", DateType)()
  private val st = AttributeReference("st", StructType.fromDDL("x INT, y DOUBLE"))()

  private val days = AttributeReference("days", ArrayType(DateType))()
  private val m = AttributeReference("m", MapType(IntegerType, IntegerType))()
  private val interval = AttributeReference("interval", CalendarIntervalType)()
  private val zone = Some("Europe/Berlin")

  private def lit(v: Any): Literal = Literal(v)

  test("cannot fail") {
    for (e <- Seq[Expression](
        i,
        lit(1),
        EqualTo(i, j),
        And(IsNull(i), Not(IsNotNull(j))),
        In(i, Seq(lit(1))),
        IsNaN(d),
        Cast(i, LongType),
        Cast(i, StringType, zone),
        ToPrettyString(day, zone),
        StartsWith(s, lit("a")),
        GetStructField(st, 0),
        Like(s, lit("a%"), '\\'),
        RLike(s, lit("^[0-9]+(a|b)x?$")),
        Coalesce(Seq(EqualTo(i, j), Literal.FalseLiteral)),
        If(IsNull(i), lit(1), i),
        Year(day),
        GreaterThan(day, DateSub(CurrentDate(zone), lit(7))),
        GreaterThan(CurrentTimestamp(), Now()),
        Upper(s),
        Add(d, d),
        RLike(s, lit("user=[0-9]*7")),
        RLike(s, lit("x.*y")),
        RLike(s, lit("^[a-z]+-(x[0-9]*|y[0-9]*7)-end$")),
        RLike(s, lit("(?i)^a{2,3}\\.b?$")),
        Like(s, lit("%x%7-end"), '\\'),
        Like(s, lit("%a%b%"), '\\'),
        EqualTo(st, st),
        Cast(st, StructType.fromDDL("x BIGINT, y DOUBLE")),
        Size(Cast(days, ArrayType(StringType), zone), legacySizeOfNull = false),
        Divide(d, lit(2.0)),
        Remainder(i, lit(10))
      )) {
      assert(CannotFail(e), e)
    }
  }

  private def withAnsi(enabled: Boolean)(body: => Unit): Unit = {
    val conf = new SQLConf
    conf.setConf(SQLConf.ANSI_ENABLED, enabled)
    SQLConf.withExistingConf(conf)(body)
  }

  test("cannot fail without ANSI mode") {
    withAnsi(enabled = false) {
      for (e <- Seq[Expression](
          Add(i, j),
          Multiply(i, lit(3)),
          Divide(d, d),
          Remainder(i, j),
          Cast(s, IntegerType),
          Cast(s, DoubleType)
        )) {
        assert(CannotFail(e), e)
      }
      assert(!CannotFail(Cast(d, TimestampType, zone)))
    }
  }

  test("may fail") {
    withAnsi(enabled = true)(mayFail())
  }

  private def mayFail(): Unit = {
    for (e <- Seq[Expression](
        Divide(d, d),
        Divide(d, lit(0.0)),
        Add(i, j),
        Remainder(i, j),
        Remainder(i, lit(0)),
        Remainder(i, Literal(null, IntegerType)),
        Cast(s, IntegerType),
        Cast(d, IntegerType),
        // A date may be outside the range of timestamps.
        Cast(day, TimestampType),
        RLike(s, lit("(")),
        RLike(s, s),
        // Java's stack overflows on long strings.
        RLike(s, lit("^(a|b)*$")),
        Like(s, s, '\\'),
        Like(s, lit("a\\"), '\\'),
        Like(s, lit("a/"), '/'),
        EqualTo(Cast(s, IntegerType), lit(1)),
        And(IsNull(i), GreaterThan(Divide(d, d), lit(1.0))),
        // Java backtracks: the time is exponential in the length, or a high power of it.
        RLike(s, lit("(a+)+b")),
        RLike(s, lit("(?:a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)")),
        RLike(s, lit("a*a*a*b")),
        RLike(s, lit("^*a.*b.*c")),
        RLike(s, lit("(a)\\1")),
        RLike(s, lit("(?=a*)b")),
        RLike(s, lit("[a&&[b]]")),
        RLike(s, lit("a" * 10000)),
        Like(s, lit("%a%b%c"), '\\'),
        Like(s, lit("_" * 10000), '\\'),
        // A date in an array may be outside the range as well.
        Cast(days, ArrayType(TimestampType), zone),
        Size(Cast(days, ArrayType(TimestampType), zone), legacySizeOfNull = false),
        Cast(st, StructType.fromDDL("x INT, y INT")),
        EqualTo(m, m),
        EqualTo(interval, interval),
        Contains(s, s),
        KnownNotNull(s),
        GetArrayItem(CreateArray(Seq(i)), lit(3))
      )) {
      assert(!CannotFail(e), e)
    }
  }
}
