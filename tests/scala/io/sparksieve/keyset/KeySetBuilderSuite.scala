// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.encoding.{CompositeKey, FloatKeys}
import io.sparksieve.keyset.longs.LongKeySet

/** Merging of keys, caps, and the bounds that are known after the builder was disabled. */
class KeySetBuilderSuite extends KeySetTest {

  private def add(builder: KeySetBuilder, keys: Iterable[Long]): KeySetBuilder = {
    keys.foreach(builder.addLong)
    builder
  }

  private def text(i: Long) = InternalRow(UTF8String.fromString(s"key $i"))

  test("parts of the keys, built apart and merged in any order, make the same set") {
    val random = new Random(1)
    for ((name, keys, kind) <- arrangements) {
      val parts = random.shuffle(keys).grouped(1 + keys.length / 3).toSeq
      val merged = builder(Seq(LongType))
      random.shuffle(parts.map(longs) ++ parts.take(1).map(longs)).foreach(merged.merge)
      val set = merged.result().get.asInstanceOf[LongKeySet]
      assert(set.sorted.toSeq == keys.distinct.sorted, name)
      assert(set.kind == kind, name)
      assert(merged.bounds == (if (keys.isEmpty) None else Some(keys.min -> keys.max)))
    }
  }

  test("sets of bytes and of rows merge too") {
    def strings(keys: Seq[Long]) = {
      val part = builder(Seq(StringType))
      keys.foreach(k => part.add(text(k)))
      part
    }
    val merged = strings(0L to 10L)
    merged.merge(strings(5L to 30L).result().get)
    merged.merge(strings(Nil).result().get)
    assert(merged.size == 31 && merged.result().get.size == 31)

    def rows(keys: Seq[Long]) = {
      val part = builder(Seq(LongType, StringType))
      keys.foreach(k => part.add(InternalRow(k, UTF8String.fromString(s"key $k"))))
      part
    }
    val composite = rows(0L to 10L)
    composite.merge(rows(5L to 30L).result().get)
    val set = composite.result().get.asInstanceOf[CompositeKeySet]
    val projection = CompositeKey.projection(Seq(LongType, StringType))
    (0L to 40L).foreach { k =>
      assert(set.contains(projection(InternalRow(k, UTF8String.fromString(s"key $k")))) == k <= 30)
    }
  }

  test("keys of another kind cannot be merged") {
    val kinds = Seq(Seq(LongType), Seq(StringType), Seq(LongType, LongType), Seq.fill(3)(LongType))
    for (a <- kinds; b <- kinds if a != b)
      assertThrows[IllegalArgumentException](builder(a).merge(builder(b).result().get))
  }

  test("NULL is no key, and longs cannot be added where keys are bytes") {
    val keys = builder(Seq(IntegerType))
    keys.add(InternalRow(null))
    assert(keys.size == 0 && keys.bounds.isEmpty && keys.result().get.isEmpty)
    assertThrows[UnsupportedOperationException](builder(Seq(StringType)).addLong(1))
    assertThrows[UnsupportedOperationException](builder(Seq(LongType, LongType)).addLong(1))
  }

  test("a result can be had at any time, and is not changed by what comes after") {
    val keys = add(builder(Seq(LongType)), Seq(1L, 1000000000000L))
    val early = keys.result().get
    add(keys, Seq(7L))
    assert(early.size == 2 && !early.asInstanceOf[LongKeySet].contains(7))
    assert(keys.result().get.size == 3)
  }

  test("exactly as many keys as the cap allows, and one more") {
    for (cap <- Seq(1, 2, 63, 64, 1000)) {
      val keys = add(builder(Seq(LongType), maxKeys = cap), (1L to cap) ++ (1L to cap))
      assert(!keys.gaveUp && keys.size == cap && keys.result().get.size == cap)
      keys.addLong(0)
      assert(keys.gaveUp && keys.size == 0 && keys.result().isEmpty)
      val strings = builder(Seq(StringType), maxKeys = cap)
      (1 to 2).foreach(_ => (1 to cap).foreach(k => strings.add(text(k))))
      assert(!strings.gaveUp && strings.size == cap && strings.result().get.size == cap)
      strings.add(text(0))
      assert(strings.gaveUp && strings.size == 0 && strings.result().isEmpty)
      val rows = builder(Seq(LongType, LongType), maxKeys = cap)
      (1 to 2).foreach(_ => (1 to cap).foreach(k => rows.add(InternalRow(k.toLong, 1L))))
      assert(rows.result().get.size == cap)
      rows.add(InternalRow(0L, 1L))
      assert(rows.gaveUp && rows.result().isEmpty)
    }
  }

  test("the cap holds for merged keys, those of a great range too") {
    val keys = builder(Seq(LongType), maxKeys = 10)
    keys.merge(longs(1L to 10L))
    keys.merge(longs(1L to 10L))
    assert(keys.result().get.size == 10)
    keys.merge(longs(5L to 14L))
    assert(keys.gaveUp && keys.bounds.contains(1L -> 14L))
    val other = builder(Seq(LongType), maxKeys = 10)
    other.merge(longs(-5L to 100000L))
    assert(other.gaveUp && other.bounds.contains(-5L -> 100000L))
  }

  test("after giving up, bounds go on") {
    val keys = add(builder(Seq(LongType), maxKeys = 1), Seq(5L, 6L))
    assert(keys.bounds.contains(5L -> 6L))
    add(keys, Seq(Long.MinValue, 3L, Long.MaxValue))
    assert(keys.gaveUp && keys.bounds.contains(Long.MinValue -> Long.MaxValue))
    val doubles = builder(Seq(DoubleType), maxKeys = 1)
    Seq[Any](-1.5, 2.5, null, Double.NaN).foreach(v => doubles.add(InternalRow(v)))
    val (low, high) = doubles.bounds.get
    assert(FloatKeys.decodeDouble(low) == -1.5 && FloatKeys.decodeDouble(high).isNaN)
  }

  test("one part that was disabled disables the whole, with the bounds of both") {
    val part = add(builder(Seq(LongType), maxKeys = 1), Seq(5L, 60L))
    val whole = add(builder(Seq(LongType)), Seq(7L, 8L))
    whole.mergeGivenUp(part.bounds)
    assert(whole.gaveUp && whole.result().isEmpty && whole.bounds.contains(5L -> 60L))
    whole.merge(longs(Seq(100L)))
    assert(whole.bounds.contains(5L -> 100L))
    for (types <- Seq(Seq(StringType), Seq(StringType, LongType))) {
      val bytes = builder(types)
      bytes.mergeGivenUp(None)
      assert(bytes.gaveUp && bytes.result().isEmpty && bytes.bounds.isEmpty)
    }
  }

  /** The least cap in bytes with which `build` returns a set. */
  private def fewestBytes(build: Long => Option[KeySet]): Long = {
    var (less, enough) = (0L, 1L << 32)
    while (enough - less > 1) {
      val middle = (less + enough) / 2
      if (build(middle).isEmpty) less = middle else enough = middle
    }
    enough
  }

  private def longsWithin(keys: Seq[Long])(maxBytes: Long): Option[KeySet] =
    add(builder(Seq(LongType), maxBytes = maxBytes), keys).result()

  private def stringsWithin(n: Int, length: Int)(maxBytes: Long): Option[KeySet] = {
    val keys = builder(Seq(StringType), maxBytes = maxBytes)
    (1 to n).foreach(i => keys.add(InternalRow(UTF8String.fromString(s"%0${length}d".format(i)))))
    keys.result()
  }

  test("bytes: there is one least cap that suffices, above the set's size and in proportion") {
    val random = new Random(2)
    for (n <- Seq(1, 48, 49, 1000, 20000)) {
      val keys = Seq.fill(n)(random.nextLong())
      val fewest = fewestBytes(longsWithin(keys))
      val set = longsWithin(keys)(fewest).get
      assert(set.size == n && longsWithin(keys)(fewest - 1).isEmpty)
      assert(fewest > set.byteSize && fewest <= 1000 + 40L * n, s"$n: $fewest")
      assert(longsWithin(keys)(fewest + 1).nonEmpty)
    }
    for (n <- Seq(1, 16, 17, 3000); length <- Seq(6, 100)) {
      val fewest = fewestBytes(stringsWithin(n, length))
      val set = stringsWithin(n, length)(fewest).get
      assert(set.size == n && stringsWithin(n, length)(fewest - 1).isEmpty)
      assert(fewest > set.byteSize && fewest <= 1000 + (48L + 3 * length) * n, s"$n: $fewest")
    }
  }

  test("bytes: nothing is allocated beyond the cap, whatever comes") {
    val keys = builder(Seq(LongType), maxBytes = 1 << 20)
    var i = 0L
    while (i < 3000000) {
      keys.addLong(i * 0x9e3779b97f4a7c15L)
      i += 1
    }
    assert(keys.gaveUp && keys.result().isEmpty)
    // The first cap is too small for one key, the second only for the set of ten keys.
    assert(add(builder(Seq(LongType), maxBytes = 100), Seq(1L)).gaveUp)
    val some = add(builder(Seq(LongType), maxBytes = 200), (1L to 10L).map(_ << 40))
    assert(!some.gaveUp && some.result().isEmpty)
    val strings = builder(Seq(StringType), maxBytes = 1 << 20)
    val long = UTF8String.fromString("x" * (1 << 20))
    strings.add(InternalRow(UTF8String.fromString("short")))
    strings.add(InternalRow(long))
    assert(strings.gaveUp && strings.result().isEmpty)
    // The builder is disabled while it grows, before a result is requested.
    val short = builder(Seq(StringType), maxBytes = 1 << 20)
    (1L to 100000L).foreach(i => short.add(text(i)))
    assert(short.gaveUp)
  }

  test("many rows of few keys need the bytes of few keys, whenever the others come") {
    def distinct(n: Int) = (0L until n.toLong).map(_ * 0x9e3779b97f4a7c15L)
    for (n <- Seq(1000, 1300, 1700, 2300, 3100)) {
      val few = distinct(n)
      val keys = builder(Seq(LongType), maxBytes = 1000 + 40L * n)
      (0 until 1000000).foreach(i => keys.addLong(few(i % n)))
      assert(keys.result().map(_.asInstanceOf[LongKeySet].sorted.toSeq).contains(few.sorted))
    }
    // The keys are distinct as long as the builder checks for duplicates, and repeat afterwards.
    val late = builder(Seq(LongType), maxBytes = 1 << 26)
    (0L until 200000L).foreach(i => late.addLong(i * 0x9e3779b97f4a7c15L))
    (0 until 3000000).foreach(i => late.addLong((i % 1000) * 0x9e3779b97f4a7c15L))
    assert(late.result().get.size == 200000 && late.size == 200000)
  }

  test("keys that come more than once leave the set no larger") {
    val random = new Random(3)
    for (n <- Seq(10, 40000); limit <- Seq(Long.MaxValue, Int.MaxValue.toLong)) {
      val keys = Seq.fill(n)(random.nextLong() % limit)
      val set = longs(random.shuffle(keys ++ keys ++ keys.take(n / 3)))
      assert(set.byteSize == longs(keys).byteSize && set.size == n)
      assert(keys.forall(set.contains) && set.sorted.toSeq == keys.sorted)
    }
    // The keys would be dense enough for a bitset only if duplicates were counted.
    val sparse = (0L until 100L).map(_ * 150)
    val set = longs(Seq.fill(5)(sparse).flatten)
    assert(set.kind == "hash32" && set.sorted.toSeq == sparse)
    assert(longs(Seq(1L, 3L, 3L, 2L)).kind == "range")
  }

  test("a set that would not fit beside the builder is disabled when requested") {
    val keys = add(builder(Seq(LongType), maxBytes = 700), Seq(1L, 1L << 40, 1L << 50))
    assert(!keys.gaveUp)
    assert(keys.result().nonEmpty)
    val more = add(builder(Seq(LongType), maxBytes = 700), (1L to 20L).map(_ << 40))
    assert(!more.gaveUp && more.result().isEmpty && more.gaveUp)
    assert(more.bounds.contains((1L << 40) -> (20L << 40)))
  }

  test("caps and columns that make no sense are refused") {
    assertThrows[IllegalArgumentException](builder(Nil))
    for (cap <- Seq(0L, -1L)) {
      assertThrows[IllegalArgumentException](builder(Seq(LongType), maxKeys = cap))
      assertThrows[IllegalArgumentException](builder(Seq(LongType), maxBytes = cap))
    }
  }

  test("ten million keys in seconds, with their ranges") {
    val keys = builder(Seq(LongType))
    val start = System.nanoTime()
    var i = 0L
    while (i < 10000000) {
      keys.addLong(i * 0x9e3779b97f4a7c15L)
      i += 1
    }
    val set = keys.result().get.asInstanceOf[LongKeySet]
    val built = System.nanoTime()
    assert(set.size == 10000000 && set.ranges(64).length == 64)
    val done = System.nanoTime()
    info(s"built in ${(built - start) / 1000000} ms, ranges in ${(done - built) / 1000000} ms")
    // With boxed keys or in quadratic time, it would take more than a minute.
    assert(done - start < 60000000000L)
  }
}
