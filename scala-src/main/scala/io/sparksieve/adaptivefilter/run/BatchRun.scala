// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.run

import org.apache.spark.sql.vectorized.ColumnarBatch

import io.sparksieve.adaptivefilter.learn.{SampleBuilder, SamplingSchedule, TaskOrderLearner}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.conf.PolicySettings

/**
 * One task's run of a filter over batches: evaluates the predicates over whole batches in the
 * current order, and samples some rows. Generated code uses it too.
 *
 * @param lookAhead
 *   whether predicates that can fail or are random may be evaluated for all rows of a batch before
 *   the first row is passed on. If not, because there may be a LIMIT above, [[keeps]] evaluates the
 *   first of them in the order, and all predicates after it, one row at a time
 */
private[adaptivefilter] final class BatchRun(
    predicates: BatchPredicates,
    learner: TaskOrderLearner,
    precedence: Precedence,
    settings: PolicySettings,
    lookAhead: Boolean) {

  private val byRank = settings.policy == PolicySettings.Rank
  private val n = precedence.size
  private val builder = new SampleBuilder(n)
  private val schedule = new SamplingSchedule
  private val one = new Array[Int](1)
  private var selected = new Array[Int](4096)
  private var evaluated = new Array[Int](BatchRun.SampleRows)
  private var untilSample = 0L
  private var samples = 0L
  private var sampling = 0L
  private var isWarm = false
  private var rowsSinceRanks = 0L
  private var order = precedence.written
  private var late = n
  private var evaluatedLate = 0L

  // If a task ends soon after its first sample, the builder still holds all later measurements of
  // the predicates that `keeps` evaluates.
  if (!byRank) learner.atEnd(if (builder.nonEmpty) learner.add(builder.result()))

  /** An array that starts with the numbers of the rows that [[select]] has kept. */
  def rows: Array[Int] = selected

  /** Filters a batch; returns how many rows are left. */
  def select(batch: ColumnarBatch): Int = {
    val count = batch.numRows
    if (selected.length < count) selected = new Array[Int](count)
    predicates.open(batch)
    begin(count, identity)
    val firstLate = if (lookAhead) -1 else order.indexWhere(!precedence.isFree(_))
    late = if (firstLate < 0) n else firstLate
    val left = evaluate(selected, count, late, all = true)
    if (late == 0) BatchRun.fill(selected, count)
    left
  }

  /**
   * Filters some rows, ascending, of the open batch, and moves the rows that are left to the front.
   * Returns how many rows are left.
   */
  def narrow(rows: Array[Int], count: Int): Int = {
    begin(count, rows(_))
    evaluate(rows, count, n, all = false)
  }

  /** Samples some of `count` rows if a sample is due. `row(i)` is the number of the i-th row. */
  private def begin(count: Int, row: Int => Int): Unit = {
    if (byRank) sampleByRate(count, row) else sampleByTime(count, row)
    order = learner.order
    learner.filtered(count.toLong)
  }

  /** Evaluates the first `until` predicates of the order; see [[BatchPredicates.select]]. */
  private def evaluate(rows: Array[Int], count: Int, until: Int, all: Boolean): Int = {
    var left = count
    var i = 0
    while (i < until && left > 0) {
      left = predicates.select(order(i), rows, left, all && i == 0)
      i += 1
    }
    left
  }

  /** Whether a row that [[select]] has kept passes the predicates that [[select]] left out. */
  def keeps(row: Int): Boolean = {
    evaluatedLate += 1
    // These are the only measurements of predicates that cannot be sampled ahead.
    val timed = evaluatedLate % BatchRun.TimedRows == 0
    var i = late
    var keeps = true
    while (keeps && i < n) {
      one(0) = row
      val start = if (timed) System.nanoTime() else 0L
      val kept = predicates.select(order(i), one, 1, false)
      if (timed && !precedence.isFree(order(i)))
        builder.evaluated(order(i), 1, kept, System.nanoTime() - start)
      keeps = kept == 1
      i += 1
    }
    keeps
  }

  /** Samples one row in `collectRate`, and updates the ranks every `calculateRate` rows. */
  private def sampleByRate(count: Int, row: Int => Int): Unit = {
    if (untilSample < count) {
      val size = ((count - untilSample - 1) / settings.collectRate + 1).toInt
      val first = untilSample.toInt
      sample(size, i => row(first + i * settings.collectRate))
      untilSample += size.toLong * settings.collectRate
    }
    untilSample -= count
    rowsSinceRanks += count
    if (rowsSinceRanks >= settings.calculateRate) {
      rowsSinceRanks = 0
      learner.add(builder.result())
      learner.update()
    }
  }

  /**
   * Samples up to [[BatchRun.SampleRows]] of the rows when a sample is due. If there are few rows
   * (a nested run may get just one), or a predicate is slow, continues in the next calls until the
   * sample has [[BatchRun.LeastRows]] rows.
   */
  private def sampleByTime(count: Int, row: Int => Int): Unit = {
    if (count > 0 && !isWarm) {
      // The first evaluation may load classes, which can take longer than all others together. It
      // says nothing of the costs, and would use up the time for samples.
      sample(1, _ => row(0))
      builder.result()
      isWarm = true
    }
    val start = System.nanoTime()
    if (count > 0 && (builder.size > 0 || schedule.isDue(start))) {
      val size = math.min(count, BatchRun.SampleRows)
      samples += 1
      var part = 0
      while (part < BatchRun.Parts.length && (part == 0 || goesOn(start))) {
        val rows = BatchRun.Parts(part).takeWhile(_ < size)
        sample(rows.length, i => row(BatchRun.within(rows(i), size, count, samples)))
        part += 1
      }
      val end = System.nanoTime()
      sampling += end - start
      if (builder.size >= BatchRun.LeastRows) {
        learner.add(builder.result())
        learner.update()
        schedule.sampled(end - sampling, System.nanoTime())
        sampling = 0L
      }
    }
  }

  private def goesOn(start: Long) = System.nanoTime() - start < BatchRun.LongestSample

  /**
   * Evaluates, for the `size` rows `at(0)`, `at(1)`, ... (ascending), every deterministic predicate
   * that may be evaluated ahead. A predicate that must come after others is evaluated only for the
   * rows that those keep.
   */
  private def sample(size: Int, at: Int => Int): Unit = {
    if (evaluated.length < size) evaluated = new Array[Int](size)
    // Each predicate reads the row numbers twice.
    val rows = Array.tabulate(size)(at)
    val dropped = new Array[Long](size)
    var sampled = 0L
    var k = 0
    while (k < precedence.steady) {
      if (precedence.isFree(k) || lookAhead) {
        val before = precedence.before(k)
        var count = 0
        var i = 0
        while (i < size) {
          if ((dropped(i) & before) == 0) {
            evaluated(count) = rows(i)
            count += 1
          }
          i += 1
        }
        val start = System.nanoTime()
        val kept = predicates.select(k, evaluated, count, false)
        builder.evaluated(k, count, kept, System.nanoTime() - start)
        sampled |= 1L << k
        // Both arrays ascend: an evaluated row that is not the next kept row was dropped.
        var next = 0
        i = 0
        while (i < size) {
          if ((dropped(i) & before) == 0) {
            if (next < kept && evaluated(next) == rows(i)) next += 1 else dropped(i) |= 1L << k
          }
          i += 1
        }
      }
      k += 1
    }
    dropped.foreach(builder.row(_, sampled))
  }
}

private[adaptivefilter] object BatchRun {

  /** Writes the numbers 0 to `count` - 1 to the start of `rows`. */
  def fill(rows: Array[Int], count: Int): Unit = {
    var i = 0
    while (i < count) {
      rows(i) = i
      i += 1
    }
  }

  /**
   * The `i`-th row of a sample of `size` out of `count` rows: a pseudo-random row within the `i`-th
   * of `size` equal ranges, determined by `seed`. With a fixed stride, a pattern that repeats with
   * this stride in the rows would be sampled always or never.
   */
  def within(i: Int, size: Int, count: Int, seed: Long): Int = {
    val first = i.toLong * count / size
    val width = (i + 1L) * count / size - first
    val mixed = (seed * 31 + i) * 0x9e3779b97f4a7c15L
    (first + ((mixed ^ mixed >>> 29) >>> 8) % width).toInt
  }

  /** The least number of sampled rows from which the learner is updated. */
  private val LeastRows = 32

  /** The most rows that are sampled at once. */
  private val SampleRows = 256

  /** The nanoseconds after which no other part of a sample begins. */
  private val LongestSample = 10000000L

  /**
   * The rows of a sample in three parts, of 8, 24 and 224 rows, each spread over the batch. A
   * predicate may take a second for each row that its guards would have dropped.
   */
  private val Parts: Array[Array[Int]] = {
    val rows = Array.range(0, SampleRows)
    val (first, others) = rows.partition(_ % 32 == 0)
    val (second, third) = others.partition(_ % 8 == 0)
    Array(first, second, third)
  }

  /** One in this many rows is timed among those that `keeps` evaluates one by one. */
  private val TimedRows = 16
}
