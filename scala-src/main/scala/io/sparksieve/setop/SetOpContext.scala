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
 */
final class SetOpContext(
    val conf: SQLConf,
    val cache: LogicalPlan => Cache = _ => Cache.Miss,
    definitions: => Seq[CTERelationDef] = Nil) {

  /** The WITH definitions by id. */
  lazy val ctes: Map[Long, CTERelationDef] = definitions.map(d => d.id -> d).toMap
}

/** What a session's cache holds of a plan. */
sealed trait Cache extends Product with Serializable {

  /** What it holds of either of two plans, the worse news first. */
  def or(other: Cache): Cache =
    if (this == Cache.Stale || other == Cache.Stale) Cache.Stale
    else if (this == Cache.Hit) this
    else other
}

object Cache {

  /** Nothing. */
  case object Miss extends Cache

  /** Its result, made from the very files that the plan would read now. */
  case object Hit extends Cache

  /** A result that the plan would be answered from, although it was made from other files. */
  case object Stale extends Cache
}
