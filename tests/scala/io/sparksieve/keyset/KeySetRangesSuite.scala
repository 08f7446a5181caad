// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

/** Ranges that cover a set's keys. */
class KeySetRangesSuite extends KeySetTest {

  private def width(range: KeyRange): BigInt = BigInt(range.high) - range.low + 1

  private def check(keys: Seq[Long], atMost: Int): Unit = {
    val sorted = keys.distinct.sorted
    val ranges = longs(keys).ranges(atMost)
    assert(ranges.length <= atMost)
    assert(ranges.forall(r => r.low <= r.high))
    // The ranges ascend and are disjoint, and adjacent keys are in the same range.
    assert(ranges.zip(ranges.drop(1)).forall { case (a, b) => a.high < b.low - 1 })
    // The ranges cover all keys, and each range begins and ends with a key.
    val ends = sorted.toSet
    assert(ranges.forall(r => ends(r.low) && ends(r.high)))
    assert(sorted.forall(k => ranges.exists(r => r.low <= k && k <= r.high)))
    assert(ranges.map(r => sorted.count(k => r.low <= k && k <= r.high)).sum == sorted.length)
  }

  for ((name, keys, _) <- arrangements; atMost <- Seq(1, 2, 3, 64))
    test(s"$name: at most $atMost ranges") {
      check(keys.take(1200), atMost)
    }

  test("no other ranges of that number are narrower") {
    val random = new Random(11)
    for (_ <- 1 to 300) {
      val any = Seq.fill(1 + random.nextInt(9))(random.nextInt(60).toLong)
      val keys = if (random.nextBoolean()) any else any.map(_ * (Long.MaxValue / 60))
      val sorted = keys.distinct.sorted
      for (atMost <- 1 to 5) {
        val cuts = (1 until sorted.length).combinations(math.min(atMost, sorted.length) - 1)
        val least = cuts.map { at =>
          (0 +: at)
            .zip(at :+ sorted.length)
            .map { case (from, to) =>
              BigInt(sorted(to - 1)) - sorted(from) + 1
            }
            .sum
        }.min
        assert(longs(keys).ranges(atMost).map(width).sum == least, s"$sorted $atMost")
      }
    }
  }

  test("gaps wider than a signed long are the widest") {
    val keys = Seq(Long.MinValue, Long.MaxValue - (1L << 62), Long.MaxValue)
    assert(
      longs(keys).ranges(2) == Seq(
        KeyRange(Long.MinValue, Long.MinValue),
        KeyRange(Long.MaxValue - (1L << 62), Long.MaxValue)))
  }

  test("single keys are points; as many ranges as there are runs are exact") {
    assert(longs(Seq(1L, 5L, 9L)).ranges(3).forall(_.isPoint))
    assert(longs(Seq(1L, 2L, 5L, 6L)).ranges(9) == Seq(KeyRange(1, 2), KeyRange(5, 6)))
    assert(!KeyRange(1, 2).isPoint)
  }

  test("fewer than one range is refused") {
    for ((_, keys, _) <- arrangements)
      assertThrows[IllegalArgumentException](longs(keys).ranges(0))
  }
}
