// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

import io.sparksieve.advice.layout.{RangeEstimate, RankedColumn}
import io.sparksieve.advice.workload.ColumnRange

/** The range of a row group, from a sample that lacks most of its rare values. */
class RangeEstimateSuite extends AnyFunSuite {

  private val Groups = 40
  private val PerGroup = 1000
  private val Rows = Groups * PerGroup

  /** The ranges of the groups, each of which has the next rows of `values`; `null` for NULL. */
  private def ranges(scale: Double)(value: Int => Any): Seq[ColumnRange] = {
    val values = (0 until Rows).map(value)
    val column = RankedColumn.ofLongs(
      values.map { case n: Int => n.toLong; case _ => 0L }.toArray,
      values.map(_ == null).toArray)
    val order = (0 until Rows).toArray
    val starts = Array.tabulate(Groups)(_ * PerGroup)
    new RangeEstimate(column, scale)(order, starts, starts.map(_ + PerGroup))
  }

  private def high(range: ColumnRange) = range.high.asInstanceOf[Long].toInt
  private def low(range: ColumnRange) = range.low.asInstanceOf[Long].toInt

  /** A value that each row has by chance, the same in each run. */
  private def chance(row: Int, of: Int): Int = new SplittableRandom(row.toLong).nextInt(of)

  test("a rare value in no order is expected in nearly every group") {
    // 20 of 40,000 rows of the sample: in half of the groups, by chance; in all of the table's.
    def value(row: Int) = if (chance(row, 2000) == 0) 900 else chance(row, 100)
    def holds(found: Seq[ColumnRange]) = found.count(high(_) == 900)
    val seen = (0 until Rows).groupBy(_ / PerGroup).count(_._2.exists(value(_) == 900))
    assert(seen > 5 && seen < 30)
    assert(holds(ranges(scale = 1)(value)) == seen)
    assert(holds(ranges(scale = 40)(value)) >= Groups - 2)
    assert(ranges(scale = 40)(-value(_)).count(low(_) == -900) >= Groups - 2)
  }

  test("where the rows are sorted by the column, nothing is added") {
    val distinct = ranges(scale = 40)(row => row)
    assert(distinct.map(low) == (0 until Groups).map(_ * PerGroup))
    assert(distinct.map(high) == (1 to Groups).map(_ * PerGroup - 1))
    // Three groups a value: the next value has too many rows to be missed.
    val frequent = ranges(scale = 40)(row => row / (3 * PerGroup))
    assert(frequent.forall(r => low(r) == high(r)))
  }

  test("groups that are far from those with a rare value do not have it") {
    // 40 of 40,000 rows of the sample, all in the last 20 groups.
    def value(row: Int) =
      if (row >= Rows / 2 && chance(row, 500) == 0) 900 else chance(row + Rows, 100)
    val found = ranges(scale = 40)(value).map(high(_) == 900)
    assert(!found.take(Groups / 2 - RangeEstimate.Near).contains(true))
    assert(found.drop(Groups / 2).forall(identity))
  }

  test("where the rows are nearly sorted, a little is added") {
    def value(row: Int) = row + chance(row, 5 * PerGroup)
    val exact = ranges(scale = 1)(value)
    val wider = ranges(scale = 40)(value)
    exact.zip(wider).foreach { case (e, w) =>
      assert(low(w) <= low(e) && high(w) >= high(e))
      assert(high(w) - high(e) < PerGroup && low(e) - low(w) < PerGroup)
    }
    assert(exact.map(high) != wider.map(high))
  }

  test("NULL is no value, and a value that only another part of the sample has is no end") {
    val nulls = ranges(scale = 40)(row => if (row < 3 * PerGroup) null else 1 + chance(row, 50))
    assert(nulls.take(3).forall(_ == ColumnRange.OnlyNulls))
    assert(nulls.drop(3).forall(r => low(r) == 1 && high(r) == 50 && !r.hasNulls))
    val column = RankedColumn.ofLongs((0L until 100L).toArray, new Array[Boolean](100))
    val odd = column.at((1 until 100 by 2).toArray)
    assert(odd.reachUp(50, 0.0) == 50 && odd.reachUp(51, 1.9) == 53)
    assert(odd.reachDown(51, 0.0) == 51 && odd.reachDown(51, 2.0) == 47)
    assert(odd.reachUp(99, 5.0) == 99 && odd.reachDown(1, 5.0) == 1)
  }
}
