// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.util.{HashSet => JavaSet}

import io.sparksieve.keyset.table.Hashing

/** Sets of longs in every arrangement, compared with a hash set of boxed longs. */
class LongKeySetSuite extends KeySetTest {

  for ((name, keys, kind) <- arrangements) test(s"$name: as $kind, equal to a hash set") {
    val expected = new JavaSet[Long]
    keys.foreach(expected.add)
    val set = longs(keys)
    assert(set.kind == kind)
    assert(set.size == expected.size && set.isEmpty == expected.isEmpty)
    probes(keys).foreach(p => assert(set.contains(p) == expected.contains(p), p))
    assert(set.sorted.toSeq == keys.distinct.sorted)
    assert(keysOf(set).sorted == keys.distinct.sorted)
    if (keys.nonEmpty) assert((set.min, set.max) == ((keys.min, keys.max)))
  }

  test("an empty set has no bounds and no ranges") {
    val set = longs(Nil)
    assertThrows[NoSuchElementException](set.min)
    assertThrows[NoSuchElementException](set.max)
    assert(set.ranges(3) == Nil)
  }

  test("a key that marks free slots in one of the structures is found only if it is there") {
    // Free slots hold the least key minus one, the greatest key plus one, or another long.
    for {
      keys <- Seq(
        Seq(5L, 1L << 40),
        Seq(Long.MinValue, 1L << 40),
        Seq(Long.MinValue, Long.MaxValue),
        Seq(Long.MinValue, Long.MaxValue) ++ (0L to 20L))
      marker <- Seq(keys.min - 1, keys.max + 1) ++ (-1L to 22L)
    } {
      val set = longs(keys)
      assert(set.kind == "hash64")
      assert(set.contains(marker) == keys.contains(marker), s"$marker in $keys")
    }
  }

  test("probes stay short whatever the keys have in common") {
    // The slots must not depend only on bits that neighbours, strides or halves share.
    val n = 100000
    val patterns = Seq[(String, Long => Long)](
      ("strided by 3", _ * 3),
      ("strided by 2^20", _ << 20),
      ("strided by 2^45", _ << 45),
      ("in the upper half only", _ << 32),
      ("the same halves", k => k << 32 | k),
      ("multiples of the golden ratio", _ * 0x9e3779b97f4a7c15L),
      ("decimal", k => k * 1000000007L)
    )
    for ((name, key) <- patterns) {
      // Java's hash sets stay fast if all keys have the same hash code, as with equal halves.
      val keys = java.util.Arrays.stream((0L until n.toLong).map(key).toArray).distinct.toArray
      for (slot <- Seq[(Long, Int) => Int](Hashing.slot, Hashing.buildSlot)) {
        val taken = new java.util.BitSet
        val capacity = 2 * keys.length
        val steps = keys.map { k =>
          val first = slot(k, capacity)
          val i = taken.nextClearBit(first)
          taken.set(i)
          i - first
        }
        // In a half-full table, random slots need 0.5 steps on average.
        assert(steps.map(_.toDouble).sum / steps.length < 0.75, name)
      }
    }
  }

  test("a set that is read in its order of slots builds another without crowding") {
    val random = new scala.util.Random(7)
    val set = longs(Seq.fill(400000)(random.nextLong()))
    val start = System.nanoTime()
    val again = builder(Seq(org.apache.spark.sql.types.LongType))
    again.merge(set)
    assert(again.size == set.size)
    // If the keys crowd together, it takes minutes; otherwise a fraction of a second.
    assert(System.nanoTime() - start < 10000000000L)
  }

  test("at most 17 bytes a key at a million scattered longs") {
    val random = new scala.util.Random(8)
    val set = longs(Iterator.continually(random.nextLong()).take(1000000).toSeq)
    assert(set.kind == "hash64" && set.byteSize <= 17 * set.size)
    val narrow = longs(Iterator.continually(random.nextInt().toLong).take(1000000).toSeq)
    assert(narrow.kind == "hash32" && narrow.byteSize <= 8.1 * narrow.size)
  }

  test("a bitset where it takes no more than hashing, and no further") {
    // 1000 keys hashed in 32 bits: 1500 slots of 4 bytes and 128 words before them, as much as a
    // bitset of 880 words.
    def spread(last: Long) = longs((0L until 999L) :+ last)
    assert(spread(56319).kind == "bitset")
    assert(spread(56320).kind == "hash32")
  }
}
