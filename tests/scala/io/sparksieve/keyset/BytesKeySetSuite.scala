// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.bytes.{BytesKeySet, BytesKeyType}
import io.sparksieve.keyset.table.BytesTable

/** Sets of strings, binary values and wide decimals, compared with Scala collections. */
class BytesKeySetSuite extends KeySetTest {

  private val random = new Random(3)

  private def bytes(set: KeySet): BytesKeySet = set.asInstanceOf[BytesKeySet]

  private def strings(values: Iterable[String]): BytesKeySet =
    bytes(setOf(StringType, values.map(UTF8String.fromString)))

  private val words: Seq[String] =
    Seq(
      "",
      " ",
      "a",
      "a ",
      "ab",
      "abc",
      "A",
      "\u0000",
      "\u0000\u0000",
      "é",
      "e\u0301",
      "ß",
      "ss") ++
      Seq("日本語", "日本", "😀", "😀😀", "x" * 1000, "x" * 1001, "x" * 999 + "y") ++
      (0 to 300).map(i => s"the same long prefix $i") ++
      (0 to 40).map("\u0001" * _) ++
      Seq.fill(500)(random.nextString(random.nextInt(12)))

  test("strings: equal byte by byte") {
    val (in, out) = random.shuffle(words.distinct).splitAt(400)
    val set = strings(in ++ in.take(50) :+ null)
    assert(set.size == in.length && set.kind == "bytes" && !set.isEmpty)
    for (w <- in ++ out) {
      val expected = in.contains(w)
      assert(set.contains(UTF8String.fromString(w)) == expected, w)
      assert(set.contains(w.getBytes(UTF_8)) == expected, w)
      // Part of a longer array, like a string in a row.
      val inside = s"<$w>".getBytes(UTF_8)
      val part = UTF8String.fromBytes(inside, 1, inside.length - 2)
      assert(set.contains(part) == expected, w)
    }
  }

  test("what is kept is a copy") {
    val array = "before".getBytes(UTF_8)
    val set = bytes(setOf(BinaryType, Seq(array)))
    array(0) = 'x'
    assert(set.contains("before".getBytes(UTF_8)) && !set.contains(array))
    set.min(0) = 'x'
    set.keys.foreach(k => k(0) = 'x')
    assert(set.contains("before".getBytes(UTF_8)))
  }

  test("the beginning of a key is no key, even where their hashes are the same") {
    val (key, beginning) = ("abc".getBytes(UTF_8), UTF8String.fromString("ab"))
    val hash = BytesTable.hash(beginning.getBaseObject, beginning.getBaseOffset, 2)
    val set = BytesKeySet.of(BytesTable.of(key, Array(0, 3), Array(hash)))
    assert(set.size == 1 && !set.contains(beginning))
  }

  test("every number of keys from none to some hundreds") {
    // A slot holds a key's number and bits of its hash; their widths depend on the number of keys.
    for (n <- (0 to 70) ++ Seq(127, 128, 129, 255, 256, 257)) {
      val set = strings((1 to n).map(_.toString))
      assert(set.size == n)
      (1 to 2 * n + 1).foreach { i =>
        assert(set.contains(UTF8String.fromString(i.toString)) == (i <= n), s"$i of $n")
      }
      assert(set.keys.map(new String(_, UTF_8).toInt).toSet == (1 to n).toSet)
    }
  }

  test("no keys") {
    val set = strings(Seq(null))
    assert(set.isEmpty && set.kind == "empty" && set.keys.isEmpty)
    assert(!set.contains(UTF8String.EMPTY_UTF8))
    assertThrows[NoSuchElementException](set.min)
    assertThrows[NoSuchElementException](set.max)
  }

  test("the empty string alone") {
    val set = strings(Seq(""))
    assert(set.size == 1 && set.contains(UTF8String.EMPTY_UTF8))
    assert(!set.contains(UTF8String.fromString("\u0000")))
    assert(set.min.isEmpty && set.max.isEmpty)
  }

  test("binary: every byte, in unsigned order") {
    val all = (0 to 255).map(i => Array(i.toByte))
    val set = bytes(setOf(BinaryType, random.shuffle(all) ++ all.map(_ ++ Array[Byte](0, 1))))
    assert(set.size == 512)
    assert(set.min.toSeq == Seq[Byte](0) && set.max.toSeq == Seq[Byte](-1, 0, 1))
    assert(all.forall(set.contains(_: Array[Byte])))
    assert(!set.contains(Array.emptyByteArray) && !set.contains(Array[Byte](1, 0)))
  }

  test("least and greatest are those of the type's order, and decode to values") {
    for (_ <- 1 to 50) {
      val some = random.shuffle(words).take(1 + random.nextInt(9)).map(UTF8String.fromString)
      val set = bytes(setOf(StringType, some))
      val keyType = KeyTypes.of(StringType).get.asInstanceOf[BytesKeyType]
      val order = TypeUtils.getInterpretedOrdering(StringType).asInstanceOf[Ordering[UTF8String]]
      assert(
        keyType.decode(set.min) == some.min(order) && keyType.decode(set.max) == some.max(order))
    }
  }

  for ((precision, scale) <- Seq(19 -> 0, 20 -> 20, 38 -> 10, 38 -> 0, 38 -> 38))
    test(s"decimals of $precision digits, $scale of them after the point") {
      val dataType = DecimalType(precision, scale)
      val keyType = KeyTypes.of(dataType).get.asInstanceOf[BytesKeyType]
      val unsafe = UnsafeProjection.create(Array[DataType](dataType))
      val most = BigInt(10).pow(precision) - 1
      val digits = Seq(BigInt(0), most, -most, BigInt(1), BigInt(-1), BigInt(255), BigInt(-256)) ++
        Seq.fill(300)(
          BigInt(random.nextInt(127), random) % most * (if (random.nextBoolean()) 1 else -1))
      val all = digits.distinct.map(d => Decimal(BigDecimal(d, scale), precision, scale))
      val (in, out) = random.shuffle(all).splitAt(150)
      val set = bytes(setOf(dataType, in ++ in.take(9) :+ null))
      assert(set.size == in.length)
      for (d <- in ++ out; row <- Seq(InternalRow(d), unsafe(InternalRow(d))))
        assert(keyType.contains(set, row, 0) == in.contains(d), d)
      assert(keyType.decode(set.min) == in.min && keyType.decode(set.max) == in.max)
      assert(set.keys.map(keyType.decode).toSet == in.toSet)
    }

  test("a wide decimal of another scale than its type's is the same value") {
    val set = setOf(DecimalType(38, 2), Seq(Decimal("1.50"), Decimal("1.5"), Decimal(-3)))
    assert(set.size == 2)
    for (same <- Seq("1.5", "1.50", "-3", "-3.0"))
      assert(KeyTypes.of(DecimalType(38, 2)).get.contains(set, InternalRow(Decimal(same)), 0), same)
  }
}
