// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

/**
 * The results of evaluating, for some rows, every predicate that may be evaluated for them.
 *
 * @param dropped
 *   for each row, the set of evaluated predicates that are not true for it; a predicate that must
 *   come after others is evaluated only where those are true
 * @param sampled
 *   the set of predicates that `dropped` covers; the others were evaluated for other rows
 * @param evaluations
 *   for each predicate, the number of rows for which it was evaluated
 * @param cuts
 *   for each predicate, how many of these rows it has dropped
 * @param nanos
 *   for each predicate, total nanoseconds of these evaluations
 */
private[sparksieve] final case class Sample(
    dropped: Array[Long],
    sampled: Long,
    evaluations: Array[Long],
    cuts: Array[Long],
    nanos: Array[Long]) {

  def rows: Int = dropped.length

  /**
   * For each predicate, the number of these rows for which it is evaluated in an order, where each
   * row is evaluated until a predicate drops it.
   */
  def evaluatedIn(order: Array[Int]): Array[Long] = {
    val times = new Array[Long](order.length)
    dropped.foreach { d =>
      var i = 0
      while (i < order.length) {
        val k = order(i)
        times(k) += 1
        i = if ((d >> k & 1L) == 1) order.length else i + 1
      }
    }
    times
  }
}
