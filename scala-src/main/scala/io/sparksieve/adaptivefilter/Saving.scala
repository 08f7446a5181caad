package io.sparksieve.adaptivefilter

/**
 * An estimate of what a task saves by asking predicates in the orders that it learns. Rows are
 * accounted for by the sample that was taken among them: where the data drifts, what is saved in one
 * part cannot be told from a sample of another.
 *
 * @param written
 *   the order that it is compared with
 */
private[adaptivefilter] final class Saving(written: Array[Int]) {

  private val asked = new Array[Double](written.length)
  private val askedAsWritten = new Array[Double](written.length)
  private var rows = 0L

  /** Counts rows that have been filtered. */
  def filtered(count: Long): Unit = rows += count

  /** Accounts for the rows since the last time, which are like `sample` and were asked in `order`. */
  def account(sample: Sample, order: Array[Int]): Unit = {
    add(asked, sample.askedIn(order), sample.rows)
    add(askedAsWritten, sample.askedIn(written), sample.rows)
    rows = 0
  }

  /** Evaluations saved; none if more were made than the written order would have. */
  def evaluations: Long = math.max(0L, (askedAsWritten.sum - asked.sum).toLong)

  /**
   * Nanoseconds saved. What was measured before the code was compiled costs many times more than it
   * does later; so these are no more than it takes to make of the task's own time that of the
   * written order.
   *
   * @param costs
   *   nanoseconds of one evaluation of each predicate; NaN if nothing is known of it
   * @param took
   *   nanoseconds that the task took
   */
  def nanos(costs: Array[Double], took: Long): Long = {
    def in(times: Array[Double]) =
      times.indices.iterator.filterNot(costs(_).isNaN).map(k => times(k) * costs(k)).sum
    val (as, now) = (in(askedAsWritten), in(asked))
    math.max(0L, math.min(as - now, took * (as / now - 1)).toLong)
  }

  private def add(to: Array[Double], times: Array[Long], sampled: Int): Unit =
    to.indices.foreach(k => to(k) += rows.toDouble * times(k) / sampled)
}
