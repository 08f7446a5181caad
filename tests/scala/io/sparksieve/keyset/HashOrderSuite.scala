// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import io.sparksieve.keyset.table.{Footprint, HashOrder, Hashing}

/** Keys that are partitioned by the position of their slots in a hash table. */
class HashOrderSuite extends KeySetTest {

  private val random = new Random(7)
  private val keys = Array.fill(HashOrder.Fewest * 3)(random.nextLong() >> random.nextInt(64))

  test("the first keys come, each as often, in the order of the stretches of a table") {
    for (salt <- Seq(0L, Hashing.BuildSalt); count <- Seq(HashOrder.Fewest, keys.length - 5)) {
      val ordered = HashOrder(keys, count, salt)
      assert(ordered.length == count)
      assert(ordered.sorted.sameElements(keys.take(count).sorted))
      // There are at least eight stretches.
      val stretches = ordered.map(key => Hashing.mix(key ^ salt) >>> 61)
      assert(stretches.sameElements(stretches.sorted) && stretches.distinct.length == 8)
    }
  }

  test("few keys are left as they are") {
    assert(HashOrder(keys, HashOrder.Fewest - 1, 0) eq keys)
    assert(HashOrder.bytes(HashOrder.Fewest - 1L) == 0)
    assert(HashOrder.bytes(HashOrder.Fewest.toLong) >= Footprint.longs(HashOrder.Fewest.toLong))
  }
}
