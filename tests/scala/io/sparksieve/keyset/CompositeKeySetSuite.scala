// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.encoding.CompositeKey

/** Sets of keys of several columns, compared with a set of Scala tuples. */
class CompositeKeySetSuite extends KeySetTest {

  private val types = Seq(IntegerType, StringType, DoubleType)

  private def row(key: (Any, String, Any)): InternalRow =
    InternalRow(key._1, UTF8String.fromString(key._2), key._3)

  private def compositeOf(keys: Seq[(Any, String, Any)]): CompositeKeySet = {
    val collected = builder(types)
    keys.foreach(k => collected.add(row(k)))
    collected.result().get.asInstanceOf[CompositeKeySet]
  }

  private val random = new Random(9)

  private def randomKey(): (Any, String, Any) = {
    def orNull(v: Any) = if (random.nextInt(10) == 0) null else v
    (
      orNull(random.nextInt(8)),
      if (random.nextInt(10) == 0) null else "s" * random.nextInt(12),
      orNull(Seq(0.0, -0.0, Double.NaN, 1.5, -7.25)(random.nextInt(5))))
  }

  /** The key in a form that is equal where SQL's = is true; None for a key with a NULL. */
  private def compared(key: (Any, String, Any)): Option[(Any, String, Any)] = key match {
    case (a, b, c: Double) if a != null && b != null =>
      Some((a, b, if (c.isNaN) "NaN" else if (c == 0) 0.0 else c))
    case _ => None
  }

  test("keys are equal when all columns are; a NULL in any is never a member") {
    for (n <- Seq(0, 1, 10, 200)) {
      val in = Seq.fill(n)(randomKey())
      val set = compositeOf(in)
      val expected = in.flatMap(compared).toSet
      assert(set.size == expected.size && set.numFields == 3)
      assert(set.kind == (if (expected.isEmpty) "empty" else "composite"))
      val projection = CompositeKey.projection(types)
      for (k <- in ++ Seq.fill(500)(randomKey()))
        assert(set.contains(projection(row(k))) == compared(k).exists(expected), k)
    }
  }

  test("-0.0 and NaN of any bits") {
    val odd = java.lang.Double.longBitsToDouble(0xfff8000000000123L)
    val set = compositeOf(Seq((1, "a", -0.0), (2, "b", odd)))
    val projection = CompositeKey.projection(types)
    for (d <- Seq(0.0, -0.0)) assert(set.contains(projection(row((1, "a", d)))))
    for (d <- Seq(Double.NaN, odd)) assert(set.contains(projection(row((2, "b", d)))))
    assert(!set.contains(projection(row((2, "b", 0.0)))))
  }

  test("key columns out of a wider row, floats included") {
    val input = Seq("x", "f", "y", "d")
      .zip(Seq(LongType, FloatType, StringType, DecimalType(25, 3)))
      .map { case (name, t) => AttributeReference(name, t)() }
    val keys = Seq(input(3), input(1))
    val collected = builder(keys.map(_.dataType))
    collected.add(InternalRow(Decimal("1.250"), -0.0f))
    collected.add(InternalRow(Decimal("-7"), Float.NaN))
    collected.add(InternalRow(null, 1.0f))
    val set = collected.result().get.asInstanceOf[CompositeKeySet]
    assert(set.size == 2)
    val projection = CompositeKey.projection(keys, input)
    def has(f: Any, d: String) =
      set.contains(projection(InternalRow(5L, f, null, if (d == null) null else Decimal(d))))
    assert(has(0.0f, "1.25") && has(-0.0f, "1.25"))
    assert(has(java.lang.Float.intBitsToFloat(0x7fc00009), "-7.000"))
    assert(!has(1.0f, "1.25") && !has(1.0f, null) && !has(null, "1.25"))
  }

  test("columns in another order, or shared between them, are another key") {
    val set = {
      val collected = builder(Seq(StringType, StringType))
      collected.add(InternalRow(UTF8String.fromString("ab"), UTF8String.fromString("c")))
      collected.result().get.asInstanceOf[CompositeKeySet]
    }
    val projection = CompositeKey.projection(Seq(StringType, StringType))
    def has(a: String, b: String) =
      set.contains(projection(InternalRow(UTF8String.fromString(a), UTF8String.fromString(b))))
    assert(has("ab", "c"))
    assert(!has("a", "bc") && !has("c", "ab") && !has("abc", "") && !has("ab", "c\u0000"))
  }

  test("more columns than one word has bits for NULLs") {
    val many = Seq.fill(70)(IntegerType)
    val collected = builder(many)
    collected.add(InternalRow.fromSeq(1 to 70))
    val set = collected.result().get.asInstanceOf[CompositeKeySet]
    val projection = CompositeKey.projection(many)
    assert(set.contains(projection(InternalRow.fromSeq(1 to 70))))
    assert(!set.contains(projection(InternalRow.fromSeq((1 to 69) :+ 0))))
    assert(!set.contains(projection(InternalRow.fromSeq((1 to 69) :+ null))))
    assert(!set.contains(projection(InternalRow.fromSeq(null +: (2 to 70)))))
  }
}
