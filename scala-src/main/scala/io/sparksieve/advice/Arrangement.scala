package io.sparksieve.advice

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

  /**
   * The files and row groups that are written.
   *
   * @param table
   *   the size of the table that the sample is from
   * @param rowsPerGroup
   *   the rows of a full row group
   */
  def layout(
      sample: Sample,
      columns: Int,
      table: TableSize,
      rowsPerGroup: Double,
      ofFile: ColumnRange => ColumnRange = identity): TableLayout = {
    val scale = table.rows.toDouble / math.max(1, sample.rows)
    val bytesPerRow = table.bytes.toDouble / math.max(1L, table.rows)
    val perGroup = math.max(1.0, rowsPerGroup / scale)
    val files = ends.indices.map { f =>
      val from = if (f == 0) 0 else ends(f - 1)
      // A writer cuts a row group when it is full.
      val count = math.max(1, math.ceil((ends(f) - from) / perGroup - 0.001).toInt)
      val groups = (0 until count).map { g =>
        val start = from + math.round(g * perGroup).toInt
        val end = if (g == count - 1) ends(f) else from + math.round((g + 1) * perGroup).toInt
        val rows = (end - start) * scale
        RowGroup(
          math.round(rows),
          math.round(rows * bytesPerRow),
          Array.tabulate(columns)(i => range(sample.columns(i), start, end)))
      }
      DataFile("", ParquetLayout.union(groups, columns).map(ofFile), groups)
    }
    TableLayout(files)
  }

  private def range(column: RankedColumn, start: Int, end: Int): ColumnRange = {
    var low = Int.MaxValue
    var high = -1
    var nulls = false
    var i = start
    while (i < end) {
      val rank = column.ranks(order(i))
      if (rank == RankedColumn.Null) nulls = true
      else {
        if (rank < low) low = rank
        if (rank > high) high = rank
      }
      i += 1
    }
    if (high < 0) ColumnRange.OnlyNulls
    else ColumnRange(column.code(low), column.code(high), nulls, hasValues = true)
  }
}

private[advice] object Arrangement {

  /** Sorted by `keys`, and cut as Spark's range partitioning does: equal keys share a file. */
  def byRange(keys: Array[Long], files: Int): Arrangement = {
    val order = sorted(keys)
    new Arrangement(order, rangeEnds(order, keys, files))
  }

  /** As [[byRange]], and cut also where `directories` changes, which must be a prefix of the keys. */
  def byRange(keys: Array[Long], files: Int, directories: Array[Long]): Arrangement = {
    val order = sorted(keys)
    val ends = rangeEnds(order, keys, files) ++ changes(order, directories)
    new Arrangement(order, ends.distinct.sorted)
  }

  /** One file for each value of `directories`, with its rows sorted by `keys`. */
  def byValue(keys: Array[Long], directories: Array[Long]): Arrangement = {
    val order = sorted(keys)
    new Arrangement(order, changes(order, directories))
  }

  /**
   * For each value of `directories`, sorted by `keys` and cut into files of equal size, with equal
   * keys in any file.
   *
   * @param files
   *   the number of files for a number of rows
   * @param shuffled
   *   whether the rows of a file are in no order
   */
  def evenly(
      keys: Array[Long],
      directories: Array[Long],
      files: Int => Int,
      shuffled: Boolean): Arrangement = {
    val within = sorted(keys)
    // A stable sort: rows of a directory stay in the order of the keys.
    val order =
      if (directories.isEmpty) within
      else {
        val ranked = new Array[Long](keys.length)
        within.indices.foreach(i => ranked(within(i)) = i.toLong)
        sorted(KeyRanks.pair(directories, ranked))
      }
    val starts = 0 +: changes(order, directories)
    val ends = starts.zip(starts.drop(1)).flatMap { case (from, to) =>
      val n = math.max(1, math.min(files(to - from), to - from))
      (1 to n).map(i => from + ((to - from).toLong * i / n).toInt)
    }
    if (shuffled) shuffle(order, ends)
    new Arrangement(order, ends)
  }

  /** The rows, sorted by their keys, which are not negative. */
  def sorted(keys: Array[Long]): Array[Int] = {
    val bits = 64 - java.lang.Long.numberOfLeadingZeros(math.max(1, keys.length).toLong)
    val small = KeyRanks.below(keys, 1L << (62 - bits))
    val packed = Array.tabulate(keys.length)(i => (small(i) << bits) | i)
    Arrays.parallelSort(packed)
    val mask = (1L << bits) - 1
    packed.map(p => (p & mask).toInt)
  }

  /** The ends of the parts of Spark's `RangePartitioner`. */
  private def rangeEnds(order: Array[Int], keys: Array[Long], parts: Int): Array[Int] = {
    val step = order.length.toDouble / math.max(1, parts)
    val ends = Array.newBuilder[Int]
    var target = step
    var i = 0
    var cuts = 0
    while (i < order.length) {
      var end = i + 1
      while (end < order.length && keys(order(end)) == keys(order(i))) end += 1
      // After a frequent key, the next keys get parts of their own until the parts catch up.
      if (end >= target - 0.5 && cuts < parts - 1 && end < order.length) {
        ends += end
        cuts += 1
        target += step
      }
      i = end
    }
    ends += order.length
    ends.result()
  }

  private def changes(order: Array[Int], directories: Array[Long]): Array[Int] =
    if (order.isEmpty || directories.isEmpty) Array(order.length)
    else {
      val inside = (1 until order.length).filter { i =>
        directories(order(i)) != directories(order(i - 1))
      }
      (inside :+ order.length).toArray
    }

  private def shuffle(order: Array[Int], ends: Array[Int]): Unit = {
    val random = new SplittableRandom(7L)
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
}
