// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import java.util.{Arrays, SplittableRandom}

/** Sort keys for the rows of a sample, as longs that are not negative. */
private[advice] object KeyRanks {

  /** Keys in the order of the columns, NULL first; empty if there are no columns. */
  def of(sample: Sample, columns: Seq[Int]): Array[Long] =
    columns
      .map(i => sample.columns(i).ranks.map(_ + 1L))
      .reduceOption(pair(_, _))
      .getOrElse(Array.emptyLongArray)

  /** Keys in the order of `first`, then of `second`. */
  def pair(first: Array[Long], second: Array[Long]): Array[Long] = {
    val (a, b) = (below(first, 1L << 31), below(second, 1L << 31))
    val factor = max(b) + 1
    Array.tabulate(a.length)(i => a(i) * factor + b(i))
  }

  /** Keys in the same order that are less than `limit`, which is more than their number. */
  def below(keys: Array[Long], limit: Long): Array[Long] =
    if (max(keys) < limit) keys
    else {
      val sorted = keys.clone()
      Arrays.parallelSort(sorted)
      var kept = 0
      sorted.indices.foreach { i =>
        if (kept == 0 || sorted(kept - 1) != sorted(i)) {
          sorted(kept) = sorted(i)
          kept += 1
        }
      }
      keys.map(k => Arrays.binarySearch(sorted, 0, kept, k).toLong)
    }

  /**
   * The number of the range that holds a key, of `ranges` ranges with about as many rows each, as
   * Spark's range partitioning counts them.
   */
  def rangeIds(keys: Array[Long], ranges: Int): Array[Long] = {
    val order = Arrangement.sorted(keys)
    val step = order.length.toDouble / ranges
    val ids = new Array[Long](keys.length)
    var target = step
    var id = 0L
    var i = 0
    while (i < order.length) {
      var end = i
      while (end < order.length && keys(order(end)) == keys(order(i))) {
        ids(order(end)) = id
        end += 1
      }
      if (end >= target && id < ranges - 1) {
        id += 1
        target += step
      }
      i = end
    }
    ids
  }

  /** Interleaves the lowest `bits` bits of several numbers, the first number's bit first. */
  def interleaved(numbers: Seq[Array[Long]], bits: Int): Array[Long] = {
    require(bits * numbers.size <= 62, s"$bits bits of ${numbers.size} numbers fit no long.")
    Array.tabulate(numbers.head.length) { row =>
      var key = 0L
      var bit = bits - 1
      while (bit >= 0) {
        numbers.foreach(n => key = (key << 1) | ((n(row) >>> bit) & 1L))
        bit -= 1
      }
      key
    }
  }

  /** The same order, with the rows of equal keys in no order. */
  def mixed(keys: Array[Long]): Array[Long] = {
    val random = new SplittableRandom(11L)
    pair(keys, Array.fill(keys.length)(random.nextInt(1 << 20).toLong))
  }

  /**
   * Keys on the curve through several columns that interleaves the bits of their values, as far as
   * the bits differ between rows.
   *
   * @param numbers
   *   for each column the values, whose order as unsigned numbers is that of the column
   */
  def onCurve(numbers: Seq[Array[Long]]): Array[Long] = {
    val varying = numbers.map { n =>
      var bits = 0L
      n.foreach(v => bits |= v ^ n(0))
      bits
    }
    val top = 64 - varying.map(java.lang.Long.numberOfLeadingZeros(_)).min
    val bits = math.min(math.max(top, 1), 62 / numbers.size)
    interleaved(numbers.map(_.map(_ >>> math.max(0, top - bits))), bits)
  }

  def max(keys: Array[Long]): Long = {
    var greatest = 0L
    keys.foreach(k => if (k > greatest) greatest = k)
    greatest
  }
}
