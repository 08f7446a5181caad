package io.sparksieve.adaptivefilter

/**
 * Which predicates of a filter must have been passed before another may be asked of a row. A
 * predicate is named by its place in the order in which they were written; in a set of predicates,
 * bit i of a long stands for predicate i.
 *
 * @param size
 *   number of predicates, [[Precedence.MaxPredicates]] at most
 * @param fallible
 *   those that may fail: each keeps after all that were written before it, which may guard it
 * @param steady
 *   how many of the first are deterministic; from there on all keep the written order, because
 *   what is not deterministic must see the very rows that it would see as written
 */
final case class Precedence(size: Int, fallible: Long, steady: Int) {

  private val waitsFor: Array[Long] = Array.tabulate(size) { k =>
    if (k >= steady || (fallible >> k & 1L) == 1) (1L << k) - 1 else 0L
  }

  /** The set of predicates that must come before `k`. */
  def before(k: Int): Long = waitsFor(k)

  /** Whether `k` may be asked of rows that other predicates drop. */
  def isFree(k: Int): Boolean = before(k) == 0 && k < steady && (fallible >> k & 1L) == 0

  /** Whether any may be asked ahead of one that was written before it. */
  def mayMove: Boolean = (1 until size).exists(isFree)

  /** Whether `order` has each predicate once, and none ahead of one that must come before it. */
  def allows(order: Array[Int]): Boolean = {
    var seen = 0L
    order.length == size && order.forall { k =>
      val allowed = k >= 0 && k < size && isNext(k, seen)
      if (allowed) seen |= 1L << k
      allowed
    }
  }

  /** Whether `k` may follow the predicates of `seen`, of which it is none. */
  def isNext(k: Int, seen: Long): Boolean = (seen >> k & 1L) == 0 && (before(k) & ~seen) == 0

  /** The predicates as they were written. */
  def written: Array[Int] = Array.range(0, size)

  /** The order that has, at each place, the one of least rank among those that may come there. */
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

object Precedence {

  /** Sets of predicates are longs. */
  val MaxPredicates = 64

  def of(conjuncts: Seq[Conjunct]): Precedence = {
    val firstRandom = conjuncts.indexWhere(!_.deterministic)
    Precedence(
      conjuncts.size,
      conjuncts.zipWithIndex.collect { case (c, k) if c.fallible => 1L << k }.foldLeft(0L)(_ | _),
      if (firstRandom < 0) conjuncts.size else firstRandom)
  }
}
