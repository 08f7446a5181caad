// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.io.File

import scala.util.Random

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.util.SizeEstimator

import io.sparksieve.keyset.build.{KeySetAlgebra, KeySets, KeyTypes}
import io.sparksieve.keyset.longs.{BloomCaps, BloomKeySet, LongKeyFilter}

/** Keys beyond the caps of an exact set: no key may be lost, in whatever order they come. */
class BloomKeySetSuite extends KeySetTest {

  private val Caps = BloomCaps(keys = 1000000, bytes = 1 << 16)
  // Whatever has more than one key is beyond them.
  private val OnlyRanges = BloomCaps(keys = 1, bytes = 1024)

  private def many(caps: BloomCaps = Caps, maxKeys: Long = 1, maxBytes: Long = Unlimited) =
    KeySets.builder(Seq(LongType), maxKeys, maxBytes, Some(caps))

  private def filter(keys: Iterable[Long], caps: BloomCaps = Caps): LongKeyFilter = {
    val collected = many(caps)
    keys.foreach(collected.addLong)
    collected.result().get.asInstanceOf[LongKeyFilter]
  }

  /** Asserts that the set has all keys, its bounds are theirs, and its ranges hold them. */
  private def assertHolds(set: LongKeyFilter, keys: Seq[Long], clue: String): Unit = {
    keys.foreach(key => assert(set.contains(key), s"$clue: $key"))
    assert(set.min == keys.min && set.max == keys.max && !set.isEmpty, clue)
    for (atMost <- Seq(1, 3, 64)) {
      val ranges = set.ranges(atMost)
      assert(ranges.nonEmpty && ranges.size <= atMost && ranges.forall(r => r.low <= r.high), clue)
      assert(ranges.zip(ranges.drop(1)).forall { case (a, b) => a.high < b.low }, clue)
      assert(ranges.head.low == keys.min && ranges.last.high == keys.max, clue)
      keys.foreach(key => assert(ranges.exists(r => key >= r.low && key <= r.high), s"$clue: $key"))
    }
  }

  /** The number of longs in the ranges of a set. */
  private def covered(set: LongKeyFilter): Double =
    set.ranges(64).map(r => (BigInt(r.high) - r.low + 1).toDouble).sum

  private lazy val several = arrangements.filter(_._2.distinct.size > 1)

  test("every key of every arrangement is contained, in any order") {
    val random = new Random(1)
    for ((name, keys, _) <- several; order <- Seq(keys, keys.sorted, keys.sorted.reverse)) {
      val bloom = filter(order)
      // Ranges that have nearly nothing else.
      if (bloom.kind == "ranges") assert(covered(bloom) <= keys.distinct.size * 1.2, name)
      else assert(bloom.kind == "bloom", name)
      assertHolds(bloom, keys, name)
      val ranges = filter(random.shuffle(order), OnlyRanges)
      assert(ranges.kind == "ranges", name)
      assertHolds(ranges, keys, name)
    }
  }

  test("random keys of any size, with both ends of the longs") {
    val random = new Random(2)
    for (_ <- 1 to 40) {
      val bits = random.nextInt(64)
      val ends = Seq(Long.MinValue, Long.MaxValue, 0L, -1L).filter(_ => random.nextInt(4) == 0)
      val base = random.nextLong()
      val keys = Seq.fill(2 + random.nextInt(3000))(base + (random.nextLong() >>> bits)) ++ ends
      if (keys.distinct.size > 1) {
        assertHolds(filter(random.shuffle(keys)), keys, s"$bits bits from $base")
        assertHolds(filter(random.shuffle(keys), OnlyRanges), keys, s"$bits bits from $base")
      }
    }
  }

  test("keys that were there when a cap was met stay, whichever cap it is") {
    val random = new Random(3)
    val keys = Seq.fill(300000)(random.nextLong())
    for (maxKeys <- Seq(1L, 15L, 16L, 17L, 65536L, 199999L)) {
      val collected = many(Caps.copy(bytes = 1 << 20), maxKeys)
      keys.foreach(collected.addLong)
      assert(!collected.gaveUp && collected.bounds.contains(keys.min -> keys.max))
      val set = collected.result().get.asInstanceOf[LongKeyFilter]
      assert(set.kind == "bloom" && keys.forall(set.contains), s"$maxKeys keys")
    }
    for (maxBytes <- Seq(1L, 200L, 1000L, 100000L, 1000000L, 3000000L, 6000000L)) {
      val collected = many(Caps.copy(bytes = 1 << 20), Unlimited, maxBytes)
      keys.foreach(collected.addLong)
      val set = collected.result().get.asInstanceOf[LongKeyFilter]
      assert(set.kind == "bloom" && keys.forall(set.contains), s"$maxBytes bytes")
    }
  }

  test("parts merge in any form: exact sets, filters and ranges") {
    val random = new Random(4)
    for ((name, keys, _) <- several; _ <- 1 to 3) {
      val parts = random.shuffle(keys ++ keys.take(5)).grouped(1 + keys.length / 4).toSeq
      val whole = many(Caps, if (random.nextBoolean()) 1 else keys.length / 2L)
      parts.foreach { part =>
        val collected = many(Caps, if (random.nextBoolean()) 1 else Unlimited)
        part.foreach(collected.addLong)
        if (random.nextInt(3) == 0) part.foreach(whole.addLong)
        else whole.merge(collected.part().get)
      }
      assert(!whole.gaveUp, name)
      assert(keys.forall(whole.part().get.asInstanceOf[LongKeyFilter].contains), name)
      val set = whole.result().get.asInstanceOf[LongKeyFilter]
      assertHolds(set, keys, s"$name, ${set.kind}")
    }
    val ranges = filter(1L to 100L, OnlyRanges)
    val whole = many()
    whole.addLong(500)
    whole.merge(ranges)
    whole.addLong(-7)
    assertHolds(whole.result().get.asInstanceOf[LongKeyFilter], Seq(-7L, 1L, 100L, 500L), "ranges")
  }

  test("keys that go beyond the caps while they are added, one by one or from exact parts") {
    val keys = (0L until 300000L).map(_ * 5)
    val (first, second) = keys.splitAt(keys.size / 2)
    for (most <- Seq(1L, 70000L, 200000L)) {
      val caps = Caps.copy(keys = most)
      assertBeyond(filter(keys, caps), s"$most one by one")
      val merged = many(caps)
      for (part <- Seq(first, second)) {
        val exact = many(caps, maxKeys = Unlimited)
        part.foreach(exact.addLong)
        merged.merge(exact.part().get)
      }
      assertBeyond(merged.result().get.asInstanceOf[LongKeyFilter], s"$most from parts")
    }
    def assertBeyond(set: LongKeyFilter, clue: String): Unit = {
      assert(set.kind == "ranges" && set.size > 1, clue)
      assertHolds(set, keys, clue)
    }
  }

  test("keys that fill their ranges need no Bloom filter") {
    val dense = filter((1L to 50000L).filter(_ % 1000 != 3))
    assert(dense.kind == "ranges" && dense.contains(3) && !dense.contains(50001))
    assertHolds(dense, (1L to 50000L).filter(_ % 1000 != 3), "dense")
    val clusters = Seq(-4000000000L, 0L, Long.MaxValue - 900).flatMap(s => s to s + 900)
    assert(filter(clusters).kind == "bloom", "the cells of ranges are wider than the clusters")
    assert(filter((1L to 50000L).filter(_ % 4 != 3)).kind == "bloom")
    assert(filter(Seq(Long.MinValue, Long.MaxValue)).kind == "bloom")
    // Parts have the same form, whatever their keys are, so that they can be merged.
    val part = many()
    (1L to 50000L).foreach(part.addLong)
    assert(part.part().get.kind == "bloom" && part.result().get.kind == "ranges")
  }

  test("a result is not changed by what comes after") {
    val collected = many()
    (1L to 1000L).foreach(collected.addLong)
    val early = collected.part().get.asInstanceOf[BloomKeySet]
    val before = early.words.clone()
    (2000L to 90000L).foreach(collected.addLong)
    assert(early.words.sameElements(before) && early.max == 1000)
    assert(collected.result().get.asInstanceOf[LongKeyFilter].contains(90000L))
  }

  test("few absent keys are contained, and the number of keys is nearly right") {
    val random = new Random(5)
    val shapes = Seq[(String, Long => Long)](
      ("contiguous", i => i),
      ("every 1,024th", i => i << 10),
      ("multiples of 2^33", i => i << 33),
      ("multiples of a prime", i => i * 1000003),
      ("scattered", _ => random.nextLong())
    )
    for ((name, shape) <- shapes; caps <- Seq(Caps, Caps.copy(bytes = 1 << 20))) {
      val n = 40000L
      val keys = (0L until n).map(shape)
      val set = filter(keys, caps)
      assert(math.abs(set.size - n) < n / 20, s"$name: ${set.size}")
      val absent = (0L until n).map(i => shape(i) + 1) ++ Seq.fill(40000)(random.nextLong())
      val held = keys.toSet
      val tried = absent.filter(k => !held(k) && k >= set.min && k <= set.max)
      val wrong = tried.count(set.contains)
      assert(wrong <= tried.size / 40 + 1, s"$name, $caps: $wrong of ${tried.size}")
    }
  }

  test("a filter is made as small as its keys allow, but parts keep their size") {
    val collected = many(Caps.copy(bytes = 1 << 22))
    (0L until 10000L).foreach(i => collected.addLong(i * 77))
    assert(collected.part().get.byteSize > (1 << 22))
    val set = collected.result().get
    assert(set.byteSize < 40000 && set.byteSize > 15000, set.byteSize)
    assertHolds(set.asInstanceOf[LongKeyFilter], (0L until 10000L).map(_ * 77), "folded")
  }

  test("clusters far apart lie in their own ranges, however the keys come") {
    val random = new Random(6)
    val starts = Seq(-4000000000L, -1000L, 0L, 700000000L, 5000000000L)
    val keys = starts.flatMap(s => s to s + 900)
    for (order <- Seq(keys, keys.reverse, random.shuffle(keys))) {
      for (caps <- Seq(Caps, OnlyRanges)) {
        val set = filter(order, caps)
        assert(covered(set) < 10000000, set.ranges(64))
        assert(set.ranges(4).size == 4)
        assert(keys.forall(set.contains))
      }
    }
    assert(!filter(keys, OnlyRanges).contains(300000000L))
  }

  test("serialized by Java and by Kryo, and the size that it reports") {
    for (serializer <- Seq(
        new JavaSerializer(new SparkConf()),
        new KryoSerializer(new SparkConf())))
      for (set <- Seq(filter(0L to 10000L by 2), filter(0L to 5000L, OnlyRanges))) {
        val instance = serializer.newInstance()
        val copy = instance
          .deserialize[AnyRef](instance.serialize[AnyRef](set))
          .asInstanceOf[LongKeyFilter]
        assert(
          (copy.kind, copy.size, copy.min, copy.max, copy.byteSize) ==
            ((set.kind, set.size, set.min, set.max, set.byteSize)))
        assert(probes(0L to 5000L).forall(p => copy.contains(p) == set.contains(p)))
        assert(copy.ranges(64) == set.ranges(64) && copy.summary == set.summary)
        assert(math.abs(set.byteSize - SizeEstimator.estimate(set)) <= set.byteSize / 10)
      }
  }

  test("types that have this form, and those that give up as before") {
    def beyond(dataType: DataType, values: Any*): Option[KeySet] = {
      val keys = KeySets.builder(Seq(dataType), maxKeys = 1, Unlimited, Some(Caps))
      values.foreach(v => keys.add(InternalRow(v)))
      keys.add(InternalRow(null))
      keys.result()
    }
    val kept = Seq(
      beyond(ByteType, (-128 to 127 by 2).map(_.toByte): _*),
      beyond(ShortType, (1 to 1000 by 2).map(_.toShort): _*),
      beyond(IntegerType, Int.MinValue, Int.MaxValue),
      beyond(DateType, -5, 2000000),
      beyond(TimestampType, -1L, 77L, 5L << 40),
      beyond(TimestampNTZType, -1L, 77L, 5L << 40),
      beyond(DecimalType(18, 2), Decimal("1.50"), Decimal("-3000000"))
    )
    assert(kept.forall(_.exists(_.kind == "bloom")), kept.map(_.map(_.kind)))
    val decimals = KeyTypes.of(DecimalType(18, 2)).get
    assert(decimals.contains(kept.last.get, InternalRow(Decimal("-3000000.00")), 0))
    assert(beyond(DoubleType, 1.0, 2.0).isEmpty && beyond(FloatType, 1.0f, 2.0f).isEmpty)
    assert(
      beyond(BooleanType, true, false).isEmpty && beyond(YearMonthIntervalType(), 1, 2).isEmpty)
    assert(beyond(StringType, UTF8String.fromString("a"), UTF8String.fromString("b")).isEmpty)
    assert(beyond(DecimalType(20, 2), Decimal("1.50"), Decimal("2")).isEmpty)
  }

  test("where exact sets are needed, this form is refused") {
    val bloom = filter(1L to 1000L by 7)
    val types = Seq(LongType)
    assertThrows[IllegalArgumentException](builder(types).merge(bloom))
    assertThrows[IllegalArgumentException](
      KeySetAlgebra.union(Seq(bloom, longs(Seq(1L))), types, Unlimited))
    assertThrows[IllegalArgumentException](
      KeySetAlgebra.difference(bloom, Seq(longs(Seq(1L))), types, Unlimited))
    assertThrows[ClassCastException](
      KeySetAlgebra.difference(longs(Seq(1L)), Seq(bloom), types, Unlimited))
  }

  test("20,000,000 keys within a heap of 64 MB") {
    val java = new File(sys.props("java.home"), "bin/java").getPath
    val command = Seq(java, "-Xmx64m", "-cp", sys.props("java.class.path"))
    val process = new ProcessBuilder((command :+ "io.sparksieve.keyset.ManyKeys"): _*)
      .redirectErrorStream(true)
      .start()
    val said = scala.io.Source.fromInputStream(process.getInputStream).mkString
    assert(process.waitFor() == 0 && said.contains("all contained"), said)
  }
}

/** Builds a set of many keys with the default caps; prints what it is. */
object ManyKeys {

  def main(args: Array[String]): Unit = {
    val keys = 20000000L
    def key(i: Long) = i * 0x9e3779b97f4a7c15L
    val caps = BloomCaps(keys, 20L << 20)
    val builder = KeySets.builder(Seq(LongType), 1000000, 64L << 20, Some(caps))
    var i = 0L
    while (i < keys) {
      builder.addLong(key(i))
      i += 1
    }
    val set = builder.result().get.asInstanceOf[LongKeyFilter]
    i = 0
    while (i < keys && set.contains(key(i))) i += 1
    require(i == keys, s"no $i")
    print(s"${set.summary}: all contained")
  }
}
