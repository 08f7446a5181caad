// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

/**
 * Estimates what a task saves by evaluating predicates in the orders that it learns. Rows are
 * accounted for by the sample that was taken among them: if the data drifts, a sample of one part
 * of the rows does not show what is saved in another.
 *
 * @param written
 *   the order that the learned orders are compared with
 */
private[adaptivefilter] final class SavingsEstimator(written: Array[Int]) {

  private val evaluated = new Array[Double](written.length)
  private val evaluatedAsWritten = new Array[Double](written.length)
  private val least = Array.fill(written.length)(Double.PositiveInfinity)
  private var rows = 0L

  /** Counts rows that have been filtered. */
  def filtered(count: Long): Unit = rows += count

  /**
   * Accounts for the rows since the last call, assuming that they are like `sample`. They were
   * evaluated in `order`.
   */
  def account(sample: Sample, order: Array[Int]): Unit = {
    add(evaluated, sample.evaluatedIn(order), sample.rows)
    add(evaluatedAsWritten, sample.evaluatedIn(written), sample.rows)
    least.indices.filter(sample.evaluations(_) > 0).foreach { k =>
      least(k) = math.min(least(k), sample.nanos(k).toDouble / sample.evaluations(k))
    }
    rows = 0
  }

  /** Evaluations saved; 0 if the written order would have needed fewer. */
  def evaluations: Long = math.max(0L, (evaluatedAsWritten.sum - evaluated.sum).toLong)

  /**
   * Nanoseconds saved. Costs measured before the code was compiled, or while the task had to wait,
   * are many times too high for other rows. The costs are therefore at most those of the quickest
   * sample, and the result is at most the task's time times (w / l - 1), where w is the cost of the
   * written order and l that of the learned orders.
   *
   * @param costs
   *   nanoseconds of one evaluation of each predicate; NaN if not known
   * @param took
   *   nanoseconds that the task took
   */
  def nanos(costs: Array[Double], took: Long): Long = {
    def in(times: Array[Double]) =
      times.indices.iterator
        .filterNot(costs(_).isNaN)
        .map(k => times(k) * math.min(costs(k), least(k)))
        .sum
    val (as, now) = (in(evaluatedAsWritten), in(evaluated))
    math.max(0L, math.min(as - now, took * (as / now - 1)).toLong)
  }

  private def add(to: Array[Double], times: Array[Long], sampled: Int): Unit =
    to.indices.foreach(k => to(k) += rows.toDouble * times(k) / sampled)
}
