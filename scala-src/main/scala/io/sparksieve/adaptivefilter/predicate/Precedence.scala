// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

/**
 * Which predicates of a filter a row must have passed before another may be evaluated for it. A
 * predicate is identified by its position in the written order. A set of predicates is a long, in
 * which bit i stands for predicate i.
 *
 * @param size
 *   number of predicates, [[Precedence.MaxPredicates]] at most
 * @param fallible
 *   the set of predicates that can fail or be slow; each stays after all predicates written before
 *   it, because they may guard it
 * @param steady
 *   number of predicates before the first non-deterministic one. From there on all predicates keep
 *   the written order, because a non-deterministic predicate must see exactly the rows that it
 *   would see in the written order
 */
private[adaptivefilter] final case class Precedence(size: Int, fallible: Long, steady: Int) {

  private val waitsFor: Array[Long] = Array.tabulate(size) { k =>
    if (k >= steady || (fallible >> k & 1L) == 1) (1L << k) - 1 else 0L
  }

  /** The set of predicates that must come before `k`. */
  def before(k: Int): Long = waitsFor(k)

  /** Whether `k` may be evaluated for rows that other predicates drop. */
  def isFree(k: Int): Boolean = before(k) == 0 && k < steady && (fallible >> k & 1L) == 0

  /** Whether any predicate may move ahead of a predicate written before it. */
  def mayMove: Boolean = (1 until size).exists(isFree)

  /** Whether `order` has each predicate once, and none ahead of a predicate it must follow. */
  def allows(order: Array[Int]): Boolean = {
    var seen = 0L
    order.length == size && order.forall { k =>
      val allowed = k >= 0 && k < size && isNext(k, seen)
      if (allowed) seen |= 1L << k
      allowed
    }
  }

  /** Whether `k` is not in `seen` and may come next after the predicates of `seen`. */
  def isNext(k: Int, seen: Long): Boolean = (seen >> k & 1L) == 0 && (before(k) & ~seen) == 0

  /** The written order. */
  def written: Array[Int] = Array.range(0, size)

  /** The order that takes, at each place, the predicate of least rank that may come there. */
  def byRank(rank: Array[Double]): Array[Int] = {
    val order = new Array[Int](size)
    var seen = 0L
    order.indices.foreach { place =>
      val next = (0 until size).filter(isNext(_, seen)).minBy(rank(_))
      order(place) = next
      seen |= 1L << next
    }
    order
  }
}

private[adaptivefilter] object Precedence {

  /** The number of bits in a long, which holds a set of predicates. */
  val MaxPredicates = 64

  def of(conjuncts: Seq[Conjunct]): Precedence = {
    val firstRandom = conjuncts.indexWhere(!_.deterministic)
    Precedence(
      conjuncts.size,
      conjuncts.zipWithIndex
        .collect { case (c, k) if c.staysBehind => 1L << k }
        .foldLeft(0L)(_ | _),
      if (firstRandom < 0) conjuncts.size else firstRandom)
  }
}
