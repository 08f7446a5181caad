// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.scalatest.funsuite.AnyFunSuite

import io.sparksieve.advice.layout.{
  Arrangement,
  KeyRanks,
  RankedColumn,
  Sample,
  TableLayout,
  TableSize
}
import io.sparksieve.advice.workload.ColumnRange

/** How statements order and cut the rows of a sample. */
class ArrangementSuite extends AnyFunSuite {

  private def column(values: Seq[Any]): RankedColumn = RankedColumn.ofLongs(
    values.map { case n: Int => n.toLong; case _ => 0L }.toArray,
    values.map(_ == null).toArray)

  private def sample(columns: Seq[Any]*): Sample =
    new Sample(columns.map(column).toIndexedSeq, columns.head.size)

  private def bytes(rows: Int) = TableSize(1, 1, rows.toLong, rows * 10L)

  /** The ranges of the first column in the files, as `low-high`. */
  private def ranges(layout: TableLayout): Seq[String] =
    layout.files.map(f => s"${f.ranges(0).low}-${f.ranges(0).high}")

  test("range partitioning keeps equal keys together, and catches up after a frequent key") {
    val even = sample((0 until 100).reverse)
    val four = Arrangement.byRange(KeyRanks.of(even, Seq(0)), 4).layout(even, 1, bytes(100), 1e9)
    assert(ranges(four) == Seq("0-24", "25-49", "50-74", "75-99"))
    val frequent = sample(Seq.fill(50)(1) ++ (2 to 51))
    val cut = Arrangement.byRange(KeyRanks.of(frequent, Seq(0)), 4)
    assert(ranges(cut.layout(frequent, 1, bytes(100), 1e9)) == Seq("1-1", "2-2", "3-26", "27-51"))
    val few = sample((0 until 100).map(_ % 3))
    val files = Arrangement.byRange(KeyRanks.of(few, Seq(0)), 10).layout(few, 1, bytes(100), 1e9)
    assert(ranges(files) == Seq("0-0", "1-1", "2-2"))
  }

  test("directories cut files, and a writer cuts row groups when they are full") {
    val two = sample((0 until 100).map(_ % 50), (0 until 100).map(i => if (i < 30) 0 else 1))
    val directories = KeyRanks.of(two, Seq(1))
    val keys = KeyRanks.of(two, Seq(1, 0))
    val layout = Arrangement.byRange(keys, 2, directories).layout(two, 2, bytes(100), 30)
    assert(layout.files.map(_.ranges(1).low) == Seq(0L, 1L, 1L).map(Long.box))
    assert(layout.files.map(_.rowGroups.size) == Seq(1, 1, 2))
    assert(layout.files.last.rowGroups.map(_.rows) == Seq(30, 20))
    assert(Arrangement.byValue(keys, directories).layout(two, 2, bytes(100), 1e9).files.size == 2)
  }

  test("NULL comes first, and a file of NULLs is known as such") {
    val nulls = sample(Seq.fill(50)(null) ++ (1 to 50))
    val layout =
      Arrangement.byRange(KeyRanks.of(nulls, Seq(0)), 2).layout(nulls, 1, bytes(100), 1e9)
    assert(layout.files.map(_.ranges(0)).head == ColumnRange.OnlyNulls)
    val rest = layout.files.map(_.ranges(0)).last
    assert(!rest.hasNulls && rest.low == Long.box(1))
  }

  test("even cuts spread equal keys, and rows of a shuffled file are in no order") {
    val same = sample(Seq.fill(1000)(7), 0 until 1000)
    val keys = KeyRanks.mixed(KeyRanks.of(same, Seq(0)))
    val cut = Arrangement.inDirectories(keys, Array.emptyLongArray)(Arrangement.evenly(_ => 4))
    val layout = cut.shuffled.layout(same, 2, bytes(1000), 50)
    assert(layout.files.size == 4)
    val groups = layout.files.flatMap(_.rowGroups).map(_.ranges(1))
    assert(groups.forall { r =>
      val width = r.high.asInstanceOf[Long] - r.low.asInstanceOf[Long]
      width > 700
    })
  }

  test("a writer begins another file when one is too large") {
    val one = sample(Seq.fill(100)(1))
    val keys = KeyRanks.of(one, Seq(0))
    val cut =
      Arrangement.inDirectories(keys, Array.emptyLongArray)(Arrangement.ranges(keys, _ => 4, 40.0))
    assert(cut.layout(one, 1, bytes(100), 1e9).files.map(_.rowGroups.head.rows) == Seq(40, 40, 20))
  }

  test("keys of several columns, of any size") {
    val wide = sample((0 until 50).map(_ % 5), (0 until 50).map(i => 49 - i))
    val keys = KeyRanks.of(wide, Seq(0, 1))
    val order = Arrangement.sorted(keys)
    val pairs = order.map(i => (i % 5, 49 - i)).toSeq
    assert(pairs == pairs.sorted)
    val large = Array(Long.MaxValue - 1, 5L, Long.MaxValue, 0L)
    assert(Arrangement.sorted(large).toSeq == Seq(3, 1, 0, 2))
    assert(KeyRanks.pair(large, Array(1L, 1L, 1L, 1L)).sorted.distinct.length == 4)
  }

  test("curves: numbers of ranges as Delta has them, bits of values as Iceberg has them") {
    val ids = KeyRanks.rangeIds((0L until 100L).toArray, 10)
    assert(ids.toSeq.distinct == (0L until 10L))
    assert(ids.groupBy(identity).values.forall(_.length == 10))
    val square = KeyRanks.interleaved(Seq(Array(0L, 1L, 0L, 1L), Array(0L, 0L, 1L, 1L)), 1)
    assert(square.toSeq == Seq(0L, 2L, 1L, 3L))
    // The bits of the greater column come first; the common bits above do not count.
    val base = 1L << 62
    val curve = KeyRanks.onCurve(Seq(Array(base + 0, base + 1), Array(base + 64, base + 0)))
    assert(curve(0) > curve(1))
    assert(KeyRanks.onCurve(Seq(Array(5L, 5L), Array(9L, 9L))).distinct.length == 1)
  }

  test("a part of a sample") {
    val whole = sample(0 until 100)
    val half = whole.thin(2)
    assert(half.rows == 50)
    assert(half.columns.head.ranks.toSeq.map(half.columns.head.code) == (0 until 100 by 2).map(n =>
      Long.box(n.toLong)))
  }
}
