package io.sparksieve.adaptivefilter

/**
 * What was seen of some rows of which every predicate was asked that may be.
 *
 * @param dropped
 *   for each row the set of predicates that are not true for it, among those that were asked of it;
 *   one that waits for others is asked only where they are true
 * @param sampled
 *   the set of predicates that `dropped` tells of; others were asked of other rows
 * @param evaluations
 *   for each predicate, of how many rows it was asked
 * @param cuts
 *   for each predicate, how many of these it has dropped
 * @param nanos
 *   for each predicate, nanoseconds that these evaluations took together
 */
final case class Sample(
    dropped: Array[Long],
    sampled: Long,
    evaluations: Array[Long],
    cuts: Array[Long],
    nanos: Array[Long]) {

  def rows: Int = dropped.length

  /** Of how many of these rows each predicate is asked in an order, each row until one drops it. */
  def askedIn(order: Array[Int]): Array[Long] = {
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
