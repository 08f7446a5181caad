// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.util.SizeEstimator

import io.sparksieve.keyset.longs.LongKeySet
import io.sparksieve.keyset.masks.{DenseKeyMasks, HashedKeyMasks, KeyMasks, SeparateMasks}

/** Bitmasks of the sets that hold a key, compared with lookups in each set. */
class KeyMasksSuite extends KeySetTest {

  private def masksOf(sets: Seq[KeySet]): KeyMasks = KeyMasks.of(sets, Unlimited).get

  private def expected(sets: Seq[LongKeySet], key: Long) =
    sets.zipWithIndex.collect { case (set, i) if set.contains(key) => 1L << i }.sum

  private def assertMasks(masks: KeyMasks, sets: Seq[LongKeySet], keys: Seq[Long]): Unit = {
    val block = new KeyBlock
    val loaded = Array.fill(KeyBlock.Size)(-1L)
    keys.foreach(k => assert(masks.maskOf(k) == expected(sets, k), k))
    keys.grouped(KeyBlock.Size).foreach { some =>
      some.copyToArray(block.keys)
      masks.load(block, some.length, loaded)
      assert(loaded.take(some.length).toSeq == some.map(expected(sets, _)), some)
    }
  }

  private def assertAll(masks: KeyMasks, sets: Seq[LongKeySet]): Unit = {
    val keys = sets.flatMap(keysOf(_)).distinct
    assert(masks.size == keys.size)
    assert(masks.width >= sets.size && Integer.bitCount(masks.width) == 1)
    assertMasks(masks, sets, keys ++ probes(keys.take(3000)))
  }

  for ((name, keys, kind) <- arrangements)
    test(s"$name, in parts that overlap: as the sets one by one") {
      val random = new Random(3)
      for (n <- Seq(1, 2, 3, 8, 20, 33, 64)) {
        val sets = Seq.fill(n)(longs(keys.filter(_ => random.nextInt(3) == 0)))
        val masks = masksOf(sets)
        assertAll(masks, sets)
        if (kind == "bitset") assert(masks.isInstanceOf[DenseKeyMasks])
        if (kind == "hash64" && sets.map(_.size).sum > 100)
          assert(masks.isInstanceOf[HashedKeyMasks])
      }
    }

  test("sets that are tested one by one") {
    for ((_, keys, _) <- arrangements) {
      val set = longs(keys)
      assertMasks(new SeparateMasks(Array(set)), Seq(set), keys ++ probes(keys.take(500)))
      val several = Seq(set, longs(keys.take(5)), longs(keys.drop(2)))
      assertMasks(new SeparateMasks(several.toArray), several, keys ++ probes(keys.take(500)))
    }
  }

  test("more keys than an array holds are over every cap") {
    val tooMany = HashedKeyMasks.bytes(1L << 31, 8)
    assert(KeyMasks.whileBuilt(tooMany) == Long.MaxValue)
    assert(KeyMasks.whileBuilt(1000) == 1500)
  }

  test("keys around the end of the slots, and the long that marks free ones") {
    val random = new Random(12)
    for (n <- 1 to 200) {
      val sets =
        Seq.fill(2)(longs(Long.MinValue +: Long.MaxValue +: Seq.fill(n)(random.nextLong())))
      assertMasks(
        masksOf(sets),
        sets,
        probes(keysOf(sets.head)) ++ (0L to 5L).map(Long.MinValue + _))
    }
  }

  test("what would take more than the cap, or is no set of longs, has no masks") {
    val sets = Seq(longs((0L until 1000L).map(_ << 40)), longs((5L until 900L).map(_ << 40)))
    val bytes = HashedKeyMasks.bytes(sets.map(_.size).sum, 2) / 2 * 3
    assert(KeyMasks.of(sets, bytes - 1).isEmpty && KeyMasks.of(sets, bytes).nonEmpty)
    val close = Seq(longs(0L until 1000L by 3), longs(0L until 1000L by 2))
    val few = DenseKeyMasks.bytes(0, 999, 2)
    assert(KeyMasks.of(close, few - 1).isEmpty && KeyMasks.of(close, few).nonEmpty)
    val words = setOf(StringType, Seq(UTF8String.fromString("a")))
    assert(KeyMasks.of(Seq(sets.head, words), Unlimited).isEmpty)
    assertThrows[IllegalArgumentException](KeyMasks.of(Nil, Unlimited))
    assertThrows[IllegalArgumentException](KeyMasks.of(Seq.fill(65)(sets.head), Unlimited))
  }

  test("keys that many sets have take memory once") {
    val random = new Random(7)
    val keys = Seq.fill(5000)(random.nextLong())
    val masks = masksOf(Seq.fill(20)(longs(keys)))
    assert(masks.byteSize < 1.1 * HashedKeyMasks.bytes(5000, 32))
  }

  test("they arrive as they were sent, and weigh what they say") {
    for {
      (_, keys, _) <- arrangements
      serializer <- Seq(new JavaSerializer(new SparkConf()), new KryoSerializer(new SparkConf()))
    } {
      val sets = Seq(longs(keys), longs(keys.drop(3)), longs(keys.filter(_ % 2 == 0)))
      val masks = masksOf(sets)
      val instance = serializer.newInstance()
      val copy = instance.deserialize[KeyMasks](instance.serialize(masks))
      assertMasks(copy, sets, keys.take(500))
      assert((copy.size, copy.kind, copy.byteSize) == ((masks.size, masks.kind, masks.byteSize)))
      assert(SizeEstimator.estimate(masks) == masks.byteSize)
    }
  }
}
