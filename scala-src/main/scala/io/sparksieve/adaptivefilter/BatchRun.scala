package io.sparksieve.adaptivefilter

import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * One task's run of a filter over batches: asks the predicates of whole batches in the order of the
 * moment, and samples some rows. For generated code too.
 *
 * @param lookAhead
 *   whether predicates that may fail may be asked of all rows of a batch before the first one is
 *   handed on; if not, because there may be a LIMIT above, they are asked by [[keeps]]
 */
final class BatchRun(
    predicates: BatchPredicates,
    lessons: Lessons,
    precedence: Precedence,
    settings: PolicySettings,
    lookAhead: Boolean) {

  private val byRank = settings.policy == OrderPolicy.Rank
  private val n = precedence.size
  private val builder = new SampleBuilder(n)
  private val schedule = new Schedule
  private val one = new Array[Int](1)
  private var selected = new Array[Int](4096)
  private var asked = new Array[Int](BatchRun.SampleRows)
  private var untilSample = 0L
  private var samples = 0L
  private var sampling = 0L
  private var rowsSinceRanks = 0L
  private var order = precedence.written
  private var late = n
  private var askedLate = 0L

  // A task may end soon after its first sample, with all that was seen since of what is asked late.
  if (!byRank) lessons.atEnd(if (builder.nonEmpty) lessons.add(builder.result()))

  /** Numbers of the rows that [[select]] has kept, in the first places. */
  def rows: Array[Int] = selected

  /** Filters a batch; yields how many rows are left. */
  def select(batch: ColumnarBatch): Int = {
    val count = batch.numRows
    if (selected.length < count) selected = new Array[Int](count)
    predicates.open(batch)
    begin(count, identity)
    val firstLate = if (lookAhead) -1 else order.indexWhere(!precedence.isFree(_))
    late = if (firstLate < 0) n else firstLate
    val left = ask(selected, count, late, all = true)
    if (late == 0) BatchRun.fill(selected, count)
    left
  }

  /**
   * Filters some rows of the batch that is open, ascending; those that are left are moved to the
   * front. Yields how many these are.
   */
  def narrow(rows: Array[Int], count: Int): Int = {
    begin(count, rows(_))
    ask(rows, count, n, all = false)
  }

  /** Samples some of `count` rows, of which `row` yields the numbers, if it is time to. */
  private def begin(count: Int, row: Int => Int): Unit = {
    if (byRank) sampleByRate(count, row) else sampleByTime(count, row)
    order = lessons.order
    lessons.filtered(count.toLong)
  }

  /** Asks the first `until` predicates of the order; see [[BatchPredicates.select]]. */
  private def ask(rows: Array[Int], count: Int, until: Int, all: Boolean): Int = {
    var left = count
    var i = 0
    while (i < until && left > 0) {
      left = predicates.select(order(i), rows, left, all && i == 0)
      i += 1
    }
    left
  }

  /** Whether a row that [[select]] has kept passes what it could not ask ahead. */
  def keeps(row: Int): Boolean = {
    askedLate += 1
    // Not sampled otherwise: here is all that is ever seen of those that may not be asked ahead.
    val timed = askedLate % BatchRun.TimedRows == 0
    var i = late
    var keeps = true
    while (keeps && i < n) {
      one(0) = row
      val start = if (timed) System.nanoTime() else 0L
      val kept = predicates.select(order(i), one, 1, false)
      if (timed && !precedence.isFree(order(i)))
        builder.asked(order(i), 1, kept, System.nanoTime() - start)
      keeps = kept == 1
      i += 1
    }
    keeps
  }

  /** One row in collectRate; ranks after calculateRate rows. */
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
      lessons.add(builder.result())
      lessons.teach()
    }
  }

  /** A part of the rows from time to time; of few rows at a time, such as one, more in a row. */
  private def sampleByTime(count: Int, row: Int => Int): Unit = {
    val start = System.nanoTime()
    if (count > 0 && (builder.size > 0 || schedule.isDue(start))) {
      val size = math.min(count, BatchRun.SampleRows)
      samples += 1
      sample(size, i => row(BatchRun.within(i, size, count, samples)))
      val end = System.nanoTime()
      sampling += end - start
      if (builder.size >= BatchRun.LeastRows) {
        lessons.add(builder.result())
        lessons.teach()
        schedule.sampled(end - sampling, System.nanoTime())
        sampling = 0L
      }
    }
  }

  /** Asks of some rows, ascending, every predicate that may be asked of rows that are dropped. */
  private def sample(size: Int, at: Int => Int): Unit = {
    if (asked.length < size) asked = new Array[Int](size)
    // Each predicate needs them twice.
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
            asked(count) = rows(i)
            count += 1
          }
          i += 1
        }
        val start = System.nanoTime()
        val kept = predicates.select(k, asked, count, false)
        builder.asked(k, count, kept, System.nanoTime() - start)
        sampled |= 1L << k
        // Both ascend: a row that was asked and is not the next that was kept is dropped.
        var next = 0
        i = 0
        while (i < size) {
          if ((dropped(i) & before) == 0) {
            if (next < kept && asked(next) == rows(i)) next += 1 else dropped(i) |= 1L << k
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

  /** Puts the numbers 0 to `count` - 1 in the first places. */
  def fill(rows: Array[Int], count: Int): Unit = {
    var i = 0
    while (i < count) {
      rows(i) = i
      i += 1
    }
  }

  /**
   * One of `count` rows for place `i` of `size`, the same for the same `seed`: somewhere in its part
   * of the rows, for what is the same in every so manieth row would otherwise be seen always or never.
   */
  def within(i: Int, size: Int, count: Int, seed: Long): Int = {
    val first = i.toLong * count / size
    val width = (i + 1L) * count / size - first
    val mixed = (seed * 31 + i) * 0x9e3779b97f4a7c15L
    (first + ((mixed ^ mixed >>> 29) >>> 8) % width).toInt
  }

  /** Rows of a sample that is worth a lesson. */
  private val LeastRows = 32

  /** Rows of one sample. */
  private val SampleRows = 256

  /** One row in so many is timed among those that are asked one by one. */
  private val TimedRows = 16
}
