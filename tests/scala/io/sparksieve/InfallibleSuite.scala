package io.sparksieve

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types._

/** What cannot fail, and what may. */
class InfallibleSuite extends AnyFunSuite {

  private val i = AttributeReference("i", IntegerType)()
  private val j = AttributeReference("j", IntegerType)()
  private val d = AttributeReference("d", DoubleType)()
  private val s = AttributeReference("s", StringType)()
  private val day = AttributeReference("day", DateType)()
  private val st = AttributeReference("st", StructType.fromDDL("x INT, y DOUBLE"))()

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
        Cast(i, StringType),
        StartsWith(s, lit("a")),
        GetStructField(st, 0),
        Like(s, lit("a%"), '\\'),
        RLike(s, lit("^[0-9]+(a|b)x?$")),
        Coalesce(Seq(EqualTo(i, j), Literal.FalseLiteral)),
        If(IsNull(i), lit(1), i),
        Year(day),
        Upper(s),
        Add(d, d),
        Divide(d, lit(2.0)),
        Remainder(i, lit(10))
      )) {
      assert(Infallible(e), e)
    }
  }

  test("may fail") {
    for (e <- Seq[Expression](
        Divide(d, d),
        Divide(d, lit(0.0)),
        Add(i, j),
        Remainder(i, j),
        Remainder(i, lit(0)),
        Remainder(i, Literal(null, IntegerType)),
        Cast(s, IntegerType),
        Cast(d, IntegerType),
        // A day may lie beyond what a timestamp holds.
        Cast(day, TimestampType),
        RLike(s, lit("(")),
        RLike(s, s),
        // Java's stack overflows at long strings.
        RLike(s, lit("^(a|b)*$")),
        Like(s, s, '\\'),
        Like(s, lit("a\\"), '\\'),
        Like(s, lit("a/"), '/'),
        EqualTo(Cast(s, IntegerType), lit(1)),
        And(IsNull(i), GreaterThan(Divide(d, d), lit(1.0))),
        GetArrayItem(CreateArray(Seq(i)), lit(3))
      )) {
      assert(!Infallible(e), e)
    }
  }
}
