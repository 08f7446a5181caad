package io.sparksieve.setop

import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf

/**
 * What a rewrite needs to know beside the operator it looks at.
 *
 * @param conf
 *   the conf of the session that plans the query
 * @param cache
 *   what the session's cache holds of a plan
 * @param definitions
 *   the definitions of the query's WITH clauses; evaluated once, if needed
 * @param random
 *   whether the operator, or one above it, depends on the order and partitions of the rows: rand() and
 *   samples draw other ones of the rows of another plan
 */
final class SetOpContext(
    val conf: SQLConf,
    val cache: LogicalPlan => Cache = _ => Cache.Miss,
    definitions: => Seq[CTERelationDef] = Nil,
    val random: Boolean = false) {

  /** For what stands below an operator that depends on the order of its rows. */
  def belowRandom: SetOpContext = withRandom(true)

  /** For a subquery, of which only the set of its rows counts. */
  def apart: SetOpContext = withRandom(false)

  private def withRandom(value: Boolean) =
    if (value == random) this
    else new SetOpContext(conf, cache, ctes.values.toSeq, value)

  /** The WITH definitions by id. */
  lazy val ctes: Map[Long, CTERelationDef] = definitions.map(d => d.id -> d).toMap
}

/** What a session's cache holds of a plan. */
sealed trait Cache extends Product with Serializable {

  /** What it holds of either of two plans, the worse news first. */
  def or(other: Cache): Cache =
    (this, other) match {
      case (Cache.Stale, _) | (_, Cache.Stale) => Cache.Stale
      case (Cache.Hit(these), Cache.Hit(those)) =>
        Cache.Hit(these ++ those.filterNot(entry => these.exists(_ eq entry)))
      case (Cache.Miss, _) => other
      case _ => this
    }
}

object Cache {

  /** Nothing. */
  case object Miss extends Cache

  /**
   * Its result, made from the very files that the plan would read now.
   *
   * @param entries
   *   what tells the cached results apart, compared by identity
   */
  final case class Hit(entries: List[AnyRef]) extends Cache

  /** A result that the plan would be answered from, although it was made from other files. */
  case object Stale extends Cache
}
