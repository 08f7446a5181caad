// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import io.sparksieve.keyset.longs.{HashedKeySet, LongKeySet}

/** Lookups of blocks of keys, compared with lookups of single keys. */
class KeyBlockSuite extends KeySetTest {

  private val block = new KeyBlock

  private def assertFound(set: LongKeySet, keys: Seq[Long]): Unit = {
    val table = set.asInstanceOf[HashedKeySet]
    keys.grouped(KeyBlock.Size).foreach { some =>
      some.copyToArray(block.keys)
      table.find(block, some.length)
      val found = block.found.take(some.length).toSeq
      assert(found == some.map(k => if (set.contains(k)) 1 else 0), some)
      assert(block.keys.take(some.length).toSeq == some, "the keys are still there")
    }
  }

  test("sets that are hashed take blocks, and no others") {
    for ((name, keys, kind) <- arrangements)
      assert(longs(keys).takesBlocks == kind.startsWith("hash"), name)
  }

  for ((name, keys, kind) <- arrangements if kind.startsWith("hash"))
    test(s"$name: as $kind, the same in blocks as one by one") {
      val set = longs(keys)
      assertFound(set, keys)
      assertFound(set, probes(keys))
      // Blocks that are not full, which still hold keys of previous blocks.
      for (count <- Seq(1, 2, 3, KeyBlock.Size - 1)) assertFound(set, probes(keys).take(count))
    }

  test("no keys are tested") {
    longs(Seq(Long.MinValue, Long.MaxValue)).asInstanceOf[HashedKeySet].find(block, 0)
  }

  test("a key that marks free slots is found only if it is there") {
    for {
      keys <- Seq(
        Seq(5L, 1L << 40),
        Seq(Long.MinValue, 1L << 40),
        Seq(Long.MinValue, Long.MaxValue),
        Seq(Long.MinValue, Long.MaxValue) ++ (0L to 20L),
        Seq(0L, 0xfffffffeL, 77L))
    } assertFound(longs(keys), Seq(keys.min - 1, keys.max + 1, 0xffffffffL, -1L) ++ (-1L to 22L))
  }

  test("keys whose slots are taken by others, around the end of the slots, and free slots") {
    // Enough sets that in some of them probing wraps around the last slot, and in some of them the
    // presence bits do not rule out the long that marks free slots.
    val random = new scala.util.Random(11)
    for (n <- 3 to 300) {
      val keys = Seq.fill(n)(random.nextLong())
      val set = longs(keys)
      val free = set.asInstanceOf[HashedKeySet].free
      assertFound(set, random.shuffle(free +: keys ++: Seq.fill(n)(random.nextLong())))
    }
  }
}
