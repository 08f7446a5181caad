// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.function.LongConsumer

import io.sparksieve.keyset.KeyRange
import io.sparksieve.keyset.table.Footprint

/** Every long from `min` to `max`, both included. */
private[keyset] final class RangeKeySet private[keyset] (
    override val min: Long,
    override val max: Long)
    extends LongKeySet {

  override def contains(key: Long): Boolean = key >= min && key <= max

  override def size: Long = max - min + 1

  override def byteSize: Long = Footprint.shell(longs = 2)

  override def kind: String = "range"

  override def forEach(consumer: LongConsumer): Unit = {
    var key = min
    consumer.accept(key)
    // Not `key <= max`, which is always true if `max` is the greatest long.
    while (key != max) {
      key += 1
      consumer.accept(key)
    }
  }

  override def sorted: Array[Long] = {
    val keys = new Array[Long](Math.toIntExact(size))
    var i = 0
    while (i < keys.length) {
      keys(i) = min + i
      i += 1
    }
    keys
  }

  override def ranges(atMost: Int): Seq[KeyRange] = {
    require(atMost >= 1, s"Keys need at least one range, not $atMost.")
    Seq(KeyRange(min, max))
  }
}
