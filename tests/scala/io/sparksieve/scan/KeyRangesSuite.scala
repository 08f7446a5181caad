// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.SparkFunSuite
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.{KeyRange, KeySet}
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.longs.LongKeySet

class KeyRangesSuite extends SparkFunSuite {
  import KeyPredicates.Form

  private def set(dataType: DataType, values: Iterable[Any]): KeySet = {
    val builder = KeySets.builder(Seq(dataType), 1000000, 1L << 30)
    values.foreach(v => builder.add(InternalRow(v)))
    builder.result().get
  }

  private def longs(values: Iterable[Long]) =
    set(LongType, values).asInstanceOf[LongKeySet]

  private def column(dataType: DataType) = AttributeReference("c", dataType)()

  /** Whether rows of each value pass all the predicates. */
  private def passes(dataType: DataType, keys: KeySet, form: Form, values: Iterable[Any]) = {
    val c = column(dataType)
    val predicates = KeyPredicates(c, keys, form).predicates
    val bound = predicates.map(p => BindReferences.bindReference(p, Seq(c)))
    values.map(v => bound.forall(_.eval(InternalRow(v)) == true)).toSeq
  }

  test("a few keys are points, many are at most 64 ranges") {
    val few = KeyRanges(longs(Seq(7L, 8L, 1L)), LongType)
    assert(few == Seq(KeyRange(1, 1), KeyRange(7, 7), KeyRange(8, 8)))
    val many = (0L until 1000L).map(i => i * 3 + i / 10 * 1000)
    val ranges = KeyRanges(longs(many), LongType)
    assert(ranges.size == 64)
    assert(many.forall(k => ranges.exists(r => r.low <= k && k <= r.high)))
    assert(ranges.zip(ranges.tail).forall { case (a, b) => a.high < b.low })
  }

  test("gaps that hardly any row group lies in are none") {
    val dense = (0L until 1000L).map(_ * 3)
    assert(KeyRanges(longs(dense), LongType) == Seq(KeyRange(0, 2997)))
    val apart = dense ++ dense.map(_ + 1000000L)
    assert(KeyRanges(longs(apart), LongType) == Seq(KeyRange(0, 2997), KeyRange(1000000, 1002997)))
    val ends = Seq(Long.MinValue, Long.MaxValue) ++ dense
    assert(
      KeyRanges(longs(ends), LongType) == Seq(
        KeyRange(Long.MinValue, Long.MinValue),
        KeyRange(0, 2997),
        KeyRange(Long.MaxValue, Long.MaxValue)))
  }

  test("ranges end where the column's type does") {
    val keys = longs((-200L to -100L) ++ (100L to 200L) ++ Seq(1L << 40))
    assert(KeyRanges(keys, ByteType) == Seq(KeyRange(-128, -100), KeyRange(100, 127)))
    assert(KeyRanges(longs(Seq(1L << 40)), IntegerType).isEmpty)
    assert(KeyRanges.fits(127, ByteType) && !KeyRanges.fits(128, ByteType))
  }

  test("a column is comparable with keys of its own type and of wider integers") {
    assert(KeyRanges.comparable(IntegerType, LongType))
    assert(KeyRanges.comparable(DateType, DateType))
    assert(!KeyRanges.comparable(LongType, IntegerType))
    assert(!KeyRanges.comparable(DateType, TimestampType))
    assert(!KeyRanges.comparable(DecimalType(9, 2), DecimalType(9, 3)))
    assert(!KeyRanges.comparable(FloatType, DoubleType))
  }

  test("both forms let every key through and keep out what is in no range") {
    val keys = (0L until 30L).map(_ * 100)
    val others = keys.map(_ + 50) :+ -1L
    Seq(Form.AnyRange, Form.NoGap).foreach { form =>
      assert(passes(LongType, longs(keys), form, keys).forall(identity))
      assert(!passes(LongType, longs(keys), form, others).exists(identity))
      val runs = (0L until 5000L).filter(_ % 50 < 10)
      assert(passes(LongType, longs(runs), form, runs).forall(identity))
    }
  }

  test("the tree of ranges is shallow, and the literals are of the column's type") {
    val c = column(IntegerType)
    val pushed =
      KeyPredicates(c, longs((0L until 10000L).map(i => i * 2 + i / 100 * 1000)), Form.AnyRange)
    def depth(e: Expression): Int = 1 + (0 +: e.children.map(depth)).max
    assert(pushed.ranges == 64 && pushed.predicates.size == 1)
    assert(depth(pushed.predicates.head) <= 9)
    val one = KeyPredicates(c, longs(Seq(5L)), Form.NoGap).predicates
    assert(one == Seq(EqualTo(c, Literal(5))))
  }

  test("no range of the column's type: nothing is said") {
    val pushed = KeyPredicates(column(IntegerType), longs(Seq(1L << 40)), Form.AnyRange)
    assert(pushed == KeyPredicates.Pushed(Nil, 0))
  }

  test("dates and times before 1901 are not pushed") {
    def pushed(dataType: DataType, value: Any) =
      KeyPredicates(column(dataType), set(dataType, Seq(value)), Form.AnyRange).predicates.nonEmpty
    assert(pushed(DateType, 0) && !pushed(DateType, -30000))
    assert(pushed(TimestampType, 0L) && !pushed(TimestampType, -30000L * 86400 * 1000000))
  }

  test("strings: a few one by one, neighbours from the least to the greatest") {
    def string(i: Int) = UTF8String.fromString(f"$i%04d")
    val few = set(StringType, Seq(5, 7).map(string))
    assert(
      passes(StringType, few, Form.AnyRange, (4 to 8).map(string)) ==
        Seq(false, true, false, true, false))
    val many = set(StringType, (100 to 199).map(string))
    assert(KeyPredicates(column(StringType), many, Form.AnyRange).ranges == 1)
    assert(
      passes(StringType, many, Form.AnyRange, Seq(99, 100, 150, 199, 200).map(string)) ==
        Seq(false, true, true, true, false))
  }
}
