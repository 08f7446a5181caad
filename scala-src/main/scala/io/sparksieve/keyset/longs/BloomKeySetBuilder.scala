// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.Arrays

import io.sparksieve.keyset.table.{BloomBits, HashOrder}

/**
 * Keeps what it can of keys that are too many for an exact set: a Bloom filter and ranges, or
 * beyond the caps only ranges. Never gives up.
 */
private[keyset] final class BloomKeySetBuilder(caps: BloomCaps) {

  private val ranges = new CoarseRanges
  // Keys that are not in the filter yet: see `settle`.
  private var waiting = Array.emptyLongArray
  private var held = 0
  // Allocated for the first key, and null again beyond the caps.
  private var words: Array[Long] = _
  private var isOver = false
  // A set has the array that keys were added to; further keys need a copy.
  private var isShared = false
  // How many distinct keys there are at least, by estimate.
  private var atLeast = 0L

  def add(key: Long): Unit = {
    ranges.add(key)
    if (!isOver && held == waiting.length) makeRoom()
    // Making room may show that the keys are too many.
    if (!isOver) {
      waiting(held) = key
      held += 1
    }
  }

  private def makeRoom(): Unit =
    if (waiting.length < BloomKeySetBuilder.MostWaiting) {
      // The large array first: later the heap may have no contiguous space for it.
      own()
      waiting = Arrays.copyOf(waiting, math.max(16, 2 * waiting.length))
    } else settle()

  /**
   * Adds the waiting keys, ordered by their words: in any other order nearly every key is a cache
   * miss, because the filter is large.
   */
  private def settle(): Unit = if (held > 0) {
    own()
    val ordered = HashOrder(waiting, held, salt = 0)
    var added = 0
    var i = 0
    while (i < held) {
      if (BloomBits.add(words, ordered(i))) added += 1
      i += 1
    }
    held = 0
    counted(atLeast + added)
  }

  /** Adds the keys of a set that was built with the same caps. */
  def merge(other: LongKeyFilter): Unit = other match {
    case exact: LongKeySet => exact.forEach(key => add(key))
    case _ =>
      settle()
      other.ranges(CoarseRanges.MaxRanges).foreach(r => ranges.add(r.low, r.high))
      other match {
        case bloom: BloomKeySet if !isOver =>
          own()
          BloomBits.addAll(words, bloom.words)
          counted(BloomBits.count(words))
        case _: BloomKeySet => ()
        case _ =>
          drop()
          atLeast = math.max(atLeast, other.size)
      }
  }

  private def own(): Unit =
    if (words == null) words = new Array[Long](caps.words)
    else if (isShared) {
      words = words.clone()
      isShared = false
    }

  private def counted(keys: Long): Unit = {
    atLeast = keys
    if (keys > caps.keys) drop()
  }

  private def drop(): Unit = {
    isOver = true
    words = null
    waiting = Array.emptyLongArray
    held = 0
  }

  /** An estimate of the number of distinct keys so far; too low beyond the caps. */
  def size: Long = {
    settle()
    math.max(1L, if (words == null) atLeast else BloomBits.count(words))
  }

  /**
   * The keys so far; at least one must have been added.
   *
   * @param whole
   *   whether these are all the keys, so that the filter may be made as small as their number
   *   allows, or be left out if they fill their ranges; a smaller filter cannot be merged
   */
  def result(min: Long, max: Long, whole: Boolean): LongKeyFilter = {
    val covers = ranges.result(min, max)
    val keys = size
    if (words == null || whole && BloomKeySetBuilder.fill(keys, covers))
      new RangesKeySet(keys, covers)
    else {
      val kept = if (whole) BloomBits.folded(words, BloomBits.wordsFor(keys)) else words
      if (kept eq words) isShared = true
      new BloomKeySet(min, max, keys, kept, covers)
    }
  }
}

private object BloomKeySetBuilder {

  /** The most keys that wait. */
  private final val MostWaiting = 1 << 16

  /**
   * The share of the longs in the ranges that are keys, from which on the ranges alone are the
   * filter: the Bloom filter would drop hardly any row that they let pass.
   */
  private final val Filled = 0.9

  private def fill(keys: Long, covers: Array[Long]): Boolean = {
    // As doubles, because the number of longs in a range may exceed a long.
    val longs = covers.grouped(2).map(ends => ends(1).toDouble - ends(0).toDouble + 1).sum
    keys >= longs * Filled
  }
}
