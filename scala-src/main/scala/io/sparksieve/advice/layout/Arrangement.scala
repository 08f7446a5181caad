// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import java.util.{Arrays, SplittableRandom}

/**
 * The rows of a sample in the order in which a rewrite would write them, cut into files.
 *
 * @param order
 *   the rows, first to last
 * @param ends
 *   for each file, the position after its last row, ascending; empty files are left out
 */
private[advice] final class Arrangement(order: Array[Int], ends: Array[Int]) {

  /** The same files, in each of which the rows are in no order. */
  def shuffled: Arrangement = {
    val mixed = order.clone()
    Arrangement.shuffle(mixed, ends, new SplittableRandom(Arrangement.Seed))
    new Arrangement(mixed, ends)
  }

  /**
   * The files and row groups that are written.
   *
   * @param table
   *   the size of the table that the sample is from
   * @param rowsPerGroup
   *   the rows of a full row group
   */
  def layout(sample: Sample, columns: Int, table: TableSize, rowsPerGroup: Double): TableLayout = {
    val scale = table.rows.toDouble / math.max(1, sample.rows)
    val bytesPerRow = table.bytes.toDouble / math.max(1L, table.rows)
    val perGroup = math.max(1.0, rowsPerGroup / scale)
    val bounds = ends.indices.map { f =>
      val from = if (f == 0) 0 else ends(f - 1)
      // A writer cuts a row group when it is full.
      val count = math.max(1, math.ceil((ends(f) - from) / perGroup - 0.001).toInt)
      (0 until count).map { g =>
        val end = if (g == count - 1) ends(f) else from + math.round((g + 1) * perGroup).toInt
        (from + math.round(g * perGroup).toInt, end)
      }
    }
    val (starts, stops) = bounds.flatten.toArray.unzip
    val ranges = Array.tabulate(columns) { i =>
      new RangeEstimate(sample.columns(i), scale)(order, starts, stops)
    }
    val groups = starts.indices.map { g =>
      val rows = (stops(g) - starts(g)) * scale
      RowGroup(math.round(rows), math.round(rows * bytesPerRow), ranges.map(_(g)))
    }
    val first = bounds.scanLeft(0)(_ + _.size)
    val files = bounds.indices.map { f =>
      val own = groups.slice(first(f), first(f + 1))
      DataFile("", DataFile.ranges(own, columns), own)
    }
    TableLayout(files)
  }
}

private[advice] object Arrangement {

  /** Cuts a part of an order, from one position to another, into files: the ends of the files. */
  type Cut = (Array[Int], Int, Int) => Seq[Int]

  /** Sorted by `keys`, and cut as Spark's range partitioning does: equal keys share a file. */
  def byRange(keys: Array[Long], files: Int): Arrangement = {
    val order = sorted(keys)
    new Arrangement(order, rangeEnds(order, keys, 0, order.length, files).toArray)
  }

  /** As [[byRange]], and cut also where `directories` changes, which must be a prefix of the keys. */
  def byRange(keys: Array[Long], files: Int, directories: Array[Long]): Arrangement = {
    val order = sorted(keys)
    val ends = rangeEnds(order, keys, 0, order.length, files) ++ changes(order, directories)
    new Arrangement(order, ends.distinct.sorted.toArray)
  }

  /** One file for each value of `directories`, with its rows sorted by `keys`. */
  def byValue(keys: Array[Long], directories: Array[Long]): Arrangement = {
    val order = sorted(keys)
    new Arrangement(order, changes(order, directories).toArray)
  }

  /** The rows of each directory sorted by `keys`, and cut for itself. */
  def inDirectories(keys: Array[Long], directories: Array[Long])(cut: Cut): Arrangement = {
    val order =
      if (directories.isEmpty) sorted(keys) else sorted(KeyRanks.pair(directories, keys))
    val starts = 0 +: changes(order, directories)
    val ends = starts.zip(starts.drop(1)).flatMap { case (from, to) => cut(order, from, to) }
    new Arrangement(order, ends.toArray)
  }

  /** Files of equal size, with equal keys in any file. @param files for a number of rows */
  def evenly(files: Int => Int): Cut = (_, from, to) => {
    val n = math.max(1, math.min(files(to - from), to - from))
    (1 to n).map(i => from + ((to - from).toLong * i / n).toInt)
  }

  /**
   * As Spark's range partitioning.
   *
   * @param files
   *   for a number of rows
   * @param most
   *   the rows after which a writer begins another file
   */
  def ranges(keys: Array[Long], files: Int => Int, most: Double): Cut = (order, from, to) => {
    val ends = rangeEnds(order, keys, from, to, files(to - from))
    (from +: ends).zip(ends).flatMap { case (start, end) =>
      val parts = math.max(1, math.ceil((end - start) / most).toInt)
      (1 until parts).map(i => start + math.round(i * most).toInt) :+ end
    }
  }

  /** The rows, sorted by their keys, which are not negative. */
  def sorted(keys: Array[Long]): Array[Int] = {
    val most = KeyRanks.max(keys)
    if (most <= keys.length) counted(keys, most.toInt) else packed(keys)
  }

  /** For keys that are the ranks of one column: several times as fast. */
  private def counted(keys: Array[Long], most: Int): Array[Int] = {
    val next = new Array[Int](most + 2)
    keys.foreach(k => next(k.toInt + 1) += 1)
    (1 to most).foreach(k => next(k) += next(k - 1))
    val order = new Array[Int](keys.length)
    keys.indices.foreach { i =>
      val k = keys(i).toInt
      order(next(k)) = i
      next(k) += 1
    }
    order
  }

  private def packed(keys: Array[Long]): Array[Int] = {
    val bits = 64 - java.lang.Long.numberOfLeadingZeros(math.max(1, keys.length).toLong)
    val small = KeyRanks.below(keys, 1L << (62 - bits))
    val packed = Array.tabulate(keys.length)(i => (small(i) << bits) | i)
    Arrays.parallelSort(packed)
    val mask = (1L << bits) - 1
    packed.map(p => (p & mask).toInt)
  }

  /** The ends of the parts of Spark's `RangePartitioner`. */
  private def rangeEnds(
      order: Array[Int],
      keys: Array[Long],
      from: Int,
      to: Int,
      parts: Int): Seq[Int] = {
    val step = (to - from).toDouble / math.max(1, parts)
    val ends = Vector.newBuilder[Int]
    var target = from + step
    var i = from
    var cuts = 0
    while (i < to) {
      var end = i + 1
      while (end < to && keys(order(end)) == keys(order(i))) end += 1
      // After a frequent key, the next keys get parts of their own until the parts catch up.
      if (end >= target - 0.5 && cuts < parts - 1 && end < to) {
        ends += end
        cuts += 1
        target += step
      }
      i = end
    }
    ends += to
    ends.result()
  }

  private def changes(order: Array[Int], directories: Array[Long]): Seq[Int] =
    if (order.isEmpty || directories.isEmpty) Seq(order.length)
    else {
      val inside = (1 until order.length).filter { i =>
        directories(order(i)) != directories(order(i - 1))
      }
      inside :+ order.length
    }

  private def shuffle(order: Array[Int], ends: Array[Int], random: SplittableRandom): Unit = {
    ends.indices.foreach { f =>
      val from = if (f == 0) 0 else ends(f - 1)
      var i = ends(f) - 1
      while (i > from) {
        val j = from + random.nextInt(i - from + 1)
        val moved = order(i)
        order(i) = order(j)
        order(j) = moved
        i -= 1
      }
    }
  }

  private final val Seed = 7L
}
