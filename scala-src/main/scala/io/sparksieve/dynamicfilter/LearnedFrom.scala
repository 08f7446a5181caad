package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.ExprId
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.execution.sieve.Sizes

/**
 * Where the keys of a dynamic filter come from.
 *
 * @param key
 *   the key on the side that has the filter, as text for a reader
 * @param ids
 *   the columns which that key is made of
 * @param kind
 *   how the keys come: [[LearnedFrom.Broadcast]] or [[LearnedFrom.Shuffle]]
 * @param expected
 *   what was known before the query ran, as text for a reader; it makes no difference between two
 *   filters
 * @param pinned
 *   whether the side gives the same rows whenever it is read; see [[Repeatable]]
 */
final case class LearnedFrom(key: String, ids: Set[ExprId], kind: String)(
    val expected: Option[String] = None,
    val pinned: Boolean = true) {

  /**
   * The same with what Spark's statistics say.
   *
   * @param scan
   *   of the scan that is filtered
   * @param side
   *   of the side that has the keys
   */
  def expecting(scan: Statistics, side: Statistics): LearnedFrom =
    copy()(
      Some(s"${LearnedFrom.size(side)} with keys for a scan of ${LearnedFrom.size(scan)}"),
      pinned)

  override def toString: String = s"$key ($kind)"
}

object LearnedFrom {

  /** The keys of the join's own broadcast. */
  val Broadcast = "broadcast"

  /** One more job collects them from the side that the join shuffles. */
  val Shuffle = "shuffle"

  val Unknown: LearnedFrom = LearnedFrom("", Set.empty, "")()

  private def size(stats: Statistics) = {
    val bytes = Sizes.show(stats.sizeInBytes.min(Long.MaxValue).toLong)
    stats.rowCount.fold(bytes)(rows => f"${rows.min(Long.MaxValue).toLong}%,d rows ($bytes)")
  }
}
