package io.sparksieve.keyset

/** Keys that are asked for together, against the same keys one by one. */
class KeyBlockSuite extends KeySetTest {

  private val block = new KeyBlock

  private def assertFound(set: LongKeySet, keys: Seq[Long]): Unit = {
    val asked = set.asInstanceOf[HashedKeySet]
    keys.grouped(KeyBlock.Size).foreach { some =>
      some.copyToArray(block.keys)
      asked.find(block, some.length)
      val found = block.found.take(some.length).toSeq
      assert(found == some.map(k => if (set.contains(k)) 1 else 0), some)
      assert(block.keys.take(some.length).toSeq == some, "what was asked is still there")
    }
  }

  test("sets that are hashed take blocks, and no others") {
    for ((name, keys, kind) <- arrangements)
      assert(KeyBlock.serves(longs(keys)) == kind.startsWith("hash"), name)
  }

  for ((name, keys, kind) <- arrangements if kind.startsWith("hash"))
    test(s"$name: as $kind, the same in blocks as one by one") {
      val set = longs(keys)
      assertFound(set, keys)
      assertFound(set, probes(keys))
      // Blocks that are not full, and what is left of those before.
      for (count <- Seq(1, 2, 3, KeyBlock.Size - 1)) assertFound(set, probes(keys).take(count))
    }

  test("no keys are asked") {
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
    // So many sets that in some of them a key is pushed beyond the last slot, and that the presence
    // bits of some say of the long that marks free slots that it may be there.
    val random = new scala.util.Random(11)
    for (n <- 3 to 300) {
      val keys = Seq.fill(n)(random.nextLong())
      val set = longs(keys)
      val free = set.asInstanceOf[HashedKeySet].free
      assertFound(set, random.shuffle(free +: keys ++: Seq.fill(n)(random.nextLong())))
    }
  }
}
