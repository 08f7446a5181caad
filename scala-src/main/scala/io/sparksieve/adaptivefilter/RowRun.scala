package io.sparksieve.adaptivefilter

/**
 * One task's run of a filter that asks its predicates of one row at a time: says in which order,
 * and of which rows all predicates are asked and timed. For generated code too, which holds the
 * order and counts the rows itself:
 * {{{
 *   if (--untilSample < 0) {
 *     untilSample = run.lapse(); order = run.order();
 *     if (untilSample == 0) -> sample this row
 *   }
 * }}}
 */
final class RowRun(lessons: Lessons, precedence: Precedence, settings: PolicySettings) {
  import RowRun._

  private val byRank = settings.policy == OrderPolicy.Rank
  private val builder = new SampleBuilder(precedence.size)
  private val schedule = new Schedule
  private var pause = 0
  private var rowsSinceRanks = 0L
  private var blockStart = 0L
  private var dropped = 0L

  def order: Array[Int] = lessons.order

  /** Whether that is the written order. */
  def asWritten: Boolean = java.util.Arrays.equals(order, precedence.written)

  /** Rows to go until the next sample, when those are gone that were told last; 0 for this row. */
  def lapse(): Int = {
    lessons.filtered(pause.toLong)
    if (byRank) {
      rowsSinceRanks += pause + 1
      if (rowsSinceRanks >= settings.calculateRate) {
        rowsSinceRanks = 0
        lessons.add(builder.result())
        lessons.teach()
      }
      pause = 0
    } else if (builder.size > 0 || schedule.isDue(System.nanoTime())) pause = 0
    else pause = math.min(math.max(pause * 2, FirstPause), LongestPause)
    pause
  }

  /** Begins to sample a row. */
  def begin(): Unit = {
    if (!byRank && builder.size == 0) blockStart = System.nanoTime()
    dropped = 0L
  }

  /** Whether predicate `k` is to be asked of the row; ask them in the written order. */
  def asks(k: Int): Boolean = precedence.isFree(k) || dropped == 0

  /** Takes the answer of a predicate. */
  def answered(k: Int, passes: Boolean, nanos: Long): Unit = {
    if (!passes) dropped |= 1L << k
    builder.asked(k, 1, if (passes) 1 else 0, nanos)
  }

  /** Ends the sampling of a row; yields the rows until the next one. */
  def end(): Int = {
    builder.row(dropped, -1L)
    if (byRank) pause = settings.collectRate - 1
    else if (builder.size < Block) pause = 0
    else {
      lessons.add(builder.result())
      lessons.teach()
      schedule.sampled(blockStart, System.nanoTime())
      pause = FirstPause
    }
    pause
  }

  /** Whether the row that was sampled last passes. */
  def passed: Boolean = dropped == 0
}

private object RowRun {

  /** Rows of one sample. */
  private val Block = 32

  private val FirstPause = 256
  private val LongestPause = 16384
}
