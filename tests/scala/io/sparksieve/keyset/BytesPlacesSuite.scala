// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import org.apache.spark.sql.types.BinaryType
import org.apache.spark.unsafe.types.ByteArray

import io.sparksieve.keyset.bytes.{BytesKeySet, BytesPlaces, BytesRange}

/** Ranges of keys held as bytes, compared with sorted Scala collections. */
class BytesPlacesSuite extends KeySetTest {

  private val random = new Random(1)

  private def less(a: Array[Byte], b: Array[Byte]) = ByteArray.compareBinary(a, b) < 0

  private def set(keys: Seq[Array[Byte]]): BytesKeySet =
    setOf(BinaryType, random.shuffle(keys)).asInstanceOf[BytesKeySet]

  private def ranges(keys: Seq[Array[Byte]], atMost: Int): Seq[BytesRange] = {
    val places = new BytesPlaces(set(keys))
    places.covering(places.ranges(atMost))
  }

  private def texts(keys: String*): Seq[Array[Byte]] = keys.map(_.getBytes(UTF_8))

  private def shown(ranges: Seq[BytesRange]): Seq[(String, String)] =
    ranges.map(r => new String(r.low, UTF_8) -> new String(r.high, UTF_8))

  test("the largest gaps are left out") {
    val runs = texts("user-0001", "user-0002", "user-0500", "user-0501", "user-9999")
    assert(
      shown(ranges(runs, 3)) == Seq(
        "user-0001" -> "user-0002",
        "user-0500" -> "user-0501",
        "user-9999" -> "user-9999"))
    assert(shown(ranges(runs, 2)) == Seq("user-0001" -> "user-0501", "user-9999" -> "user-9999"))
    assert(shown(ranges(runs, 1)) == Seq("user-0001" -> "user-9999"))
    assert(ranges(runs, 3).map(_.isPoint) == Seq(false, false, true))
  }

  test("keys that are the beginning of others, and the empty key") {
    val keys = texts("", "a", "ab", "abcdefgh", "abcdefghi", "z")
    assert(shown(ranges(keys, 64)).head == "" -> "")
    assert(shown(ranges(keys, 64)).last == "z" -> "z")
    assert(
      shown(ranges(texts("same", "same-and-longer"), 64)) == Seq(
        "same" -> "same",
        "same-and-longer" -> "same-and-longer"))
    assert(shown(ranges(texts("alone"), 64)) == Seq("alone" -> "alone"))
  }

  test("keys that differ only far behind share a range") {
    val alphabet = ('a' to 'z').mkString
    val keys = texts(s"a-$alphabet-1", s"a-$alphabet-2", s"b-$alphabet-1")
    assert(
      shown(ranges(keys, 64)) == Seq(
        s"a-$alphabet-1" -> s"a-$alphabet-2",
        s"b-$alphabet-1" -> s"b-$alphabet-1"))
  }

  test("digits are counted through, whatever their bytes") {
    val places = new BytesPlaces(set(texts((1000 to 2000).map(_.toString): _*)))
    val found = places.ranges(64)
    assert(found.head.low > 0 && found.last.high - found.head.low < 2000)
    assert(found.zip(found.drop(1)).forall { case (a, b) => b.low - a.high <= 200 })
  }

  test("random bytes: ranges ascend, and each key is in one") {
    for (round <- 1 to 200) {
      val alphabet = Seq(2, 16, 256)(round % 3)
      val shared = Array.fill(random.nextInt(4))(random.nextInt(256).toByte)
      val keys = Seq
        .fill(1 + random.nextInt(200))(
          shared ++ Array.fill(random.nextInt(12))((random.nextInt(alphabet) * 37).toByte))
        .map(_.toSeq)
        .distinct
        .map(_.toArray)
      val atMost = 1 + random.nextInt(70)
      val found = ranges(keys, atMost)
      assert(found.size <= atMost)
      assert(found.zip(found.drop(1)).forall { case (a, b) => less(a.high, b.low) })
      assert(found.forall(r => !less(r.high, r.low)))
      assert(keys.forall(k => found.count(r => !less(k, r.low) && !less(r.high, k)) == 1))
      val ends = found.flatMap(r => Seq(r.low, r.high)).map(_.toSeq).toSet
      assert(ends.subsetOf(keys.map(_.toSeq).toSet))
    }
  }
}
