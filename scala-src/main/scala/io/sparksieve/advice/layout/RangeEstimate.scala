// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import io.sparksieve.advice.workload.ColumnRange

/**
 * The ranges of a column in row groups, from samples of their rows.
 *
 * A sample of a group lacks most of the group's rare values, so its range is too narrow: where rows
 * are in no order of the column, every group has nearly the range of the table. Each range is
 * therefore extended at both ends, over values of which
 *
 *   1. the group's sample would be expected to have at most [[RangeEstimate.Unseen]] rows. What is
 *      expected follows from the density of the group near the end of its range: of the rows that
 *      all samples have there, the share that is the group's. It is 1 where the rows are sorted by
 *      the column, and nothing is added;
 *   1. the sample of one of the next [[RangeEstimate.Near]] groups has some, because groups that
 *      follow each other are alike.
 *
 * @param scale
 *   the rows of the table for each row of the sample
 */
private[advice] final class RangeEstimate(column: RankedColumn, scale: Double) {

  import RangeEstimate._

  /**
   * The range of each group.
   *
   * @param order
   *   the rows of the sample
   * @param starts
   *   where the groups begin in the order, ascending
   * @param ends
   *   the positions after their last rows
   */
  def apply(order: Array[Int], starts: Array[Int], ends: Array[Int]): IndexedSeq[ColumnRange] = {
    val seen = starts.indices.map(g => inSample(order, starts(g), ends(g)))
    seen.indices.map { g =>
      val own = seen(g)
      if (!own.hasValues) ColumnRange.OnlyNulls
      else {
        val near = seen.slice(math.max(0, g - Near), g + Near + 1).filter(_.hasValues)
        ColumnRange(
          column.code(math.max(own.least, near.map(_.low).min)),
          column.code(math.min(own.greatest, near.map(_.high).max)),
          own.hasNulls,
          hasValues = true)
      }
    }
  }

  private val highest = new Array[Int](Edge)
  private val lowest = new Array[Int](Edge)

  private def inSample(order: Array[Int], start: Int, end: Int): Seen = {
    val ranks = new Array[Int](end - start)
    var values = 0
    var i = start
    while (i < end) {
      val rank = column.ranks(order(i))
      if (rank != RankedColumn.Null) {
        ranks(values) = rank
        values += 1
      }
      i += 1
    }
    val hasNulls = values < end - start
    if (values == 0) Seen(-1, -1, -1, -1, hasNulls)
    else {
      findEnds(ranks, values)
      val (low, high) = (lowest(0), -highest(0))
      if (scale <= 1) Seen(low, high, low, high, hasNulls)
      else {
        val last = math.min(values, Edge) - 1
        val (lowEdge, highEdge) = (lowest(last), -highest(last))
        var below = 0
        var above = 0
        i = 0
        while (i < values) {
          if (ranks(i) <= lowEdge) below += 1
          if (ranks(i) >= highEdge) above += 1
          i += 1
        }
        Seen(
          low,
          high,
          column.reachDown(low, unseen(column.rows(low, lowEdge), below)),
          column.reachUp(high, unseen(column.rows(highEdge, high), above)),
          hasNulls)
      }
    }
  }

  /** Reads the ranks in leaps: if they are sorted, each would be among the extremes so far. */
  private def findEnds(ranks: Array[Int], values: Int): Unit = {
    val step = stride(values)
    var at = 0
    var i = 0
    while (i < values) {
      add(lowest, i, ranks(at))
      add(highest, i, -ranks(at))
      at += step
      if (at >= values) at -= values
      i += 1
    }
  }

  /** About the golden section, which spreads the positions evenly, and reaches each of them. */
  private def stride(values: Int): Int = {
    var step = math.max(1, (values * 0.618).toInt)
    while (BigInt(step).gcd(BigInt(values)) != 1) step += 1
    step
  }

  /** The rows of the whole sample that may follow an end of which a group has `own` of `all`. */
  private def unseen(all: Int, own: Int): Double =
    Unseen * (all.toDouble / own - 1) * (1 - 1 / scale)

  /** Keeps the least values in ascending order. @param count how many were added before */
  private def add(least: Array[Int], count: Int, value: Int): Unit = {
    var at = math.min(count, Edge)
    if (at < Edge || value < least(Edge - 1)) {
      if (at == Edge) at -= 1
      while (at > 0 && least(at - 1) > value) {
        least(at) = least(at - 1)
        at -= 1
      }
      least(at) = value
    }
  }
}

private[advice] object RangeEstimate {

  /** With less than this many rows expected, none in the sample proves nothing (95 %). */
  final val Unseen = 3.0

  /** The number of rows at an end of the range by which the density there is measured. */
  final val Edge = 8

  /** How many groups before and after a group are taken to be like it. */
  final val Near = 3

  /**
   * The ranks of a group's sample, of which there are none without values, and how far they may be
   * extended.
   */
  private final case class Seen(low: Int, high: Int, least: Int, greatest: Int, hasNulls: Boolean) {
    def hasValues: Boolean = high >= 0
  }
}
