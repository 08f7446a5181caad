// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.columnar.InMemoryRelation

/**
 * Finds the parts of a query that appear more than once, such as a WITH clause that is read twice,
 * and that Spark computes once, because it reuses the exchange above them. A filter that is pushed
 * from outside into one occurrence would make it differ from the others, and Spark would compute it
 * separately.
 */
private[dynamicfilter] final class SharedParts(root: LogicalPlan) {

  private lazy val all = root.collectWithSubqueries { case plan => plan }

  /** The number of occurrences of each exchanged part in the query, by canonicalized plan. */
  private lazy val parts: Map[LogicalPlan, Int] = count(all.flatMap {
    case j: Join if !BroadcastJoin(j) => j.children.filter(isCostly).map(withoutNames)
    case p if Exchanges(p) => Seq(p)
    case _ => Nil
  })

  private lazy val joins: Map[LogicalPlan, Int] = count(all.filter(_.isInstanceOf[Join]))

  private def count(places: Seq[LogicalPlan]) =
    places.groupBy(_.canonicalized).map { case (form, same) => form -> distinct(same).size }

  // A projection that only renames has the same canonicalized plan as its child.
  @tailrec
  private def withoutNames(plan: LogicalPlan): LogicalPlan = plan match {
    case Project(_, child) if plan.canonicalized == child.canonicalized => withoutNames(child)
    case other => other
  }

  // Reading files twice, once with a filter, is no loss.
  private def isCostly(plan: LogicalPlan) = plan.exists {
    case _: Join | _: BaseEvalPython => true
    case other => Exchanges(other)
  }

  // Counts each instance once: `parts` lists an aggregate that is a side of a join twice.
  private def distinct(places: Seq[LogicalPlan]) = {
    val seen = java.util.Collections.newSetFromMap(
      new java.util.IdentityHashMap[LogicalPlan, java.lang.Boolean])
    places.filter(seen.add)
  }

  /** Whether Spark computes `part` once for more places than those inside copies of `join`. */
  def moreOften(join: Join, part: LogicalPlan): Boolean =
    isCostly(part) && {
      val places = parts.getOrElse(part.canonicalized, 1)
      places > 1 && places > joins.getOrElse(join.canonicalized, 1)
    }

  /**
   * Whether a part of `join` is in the query twice, and reads a source that may give other rows when
   * it is read again. As long as both parts are the same, Spark may read the source once.
   */
  def readsAgain(join: Join): Boolean =
    readTwice.nonEmpty && join.collectWithSubqueries { case part => part }.exists { part =>
      readTwice(part.canonicalized)
    }

  private lazy val readTwice: Set[LogicalPlan] =
    if (!all.exists(isUnpinned)) Set.empty
    else
      all
        .flatMap {
          // A side that is exchanged by itself is listed at its own place.
          case j: Join => j.children.map(withoutNames).filterNot(Exchanges(_))
          case p if Exchanges(p) => Seq(p)
          case _ => Nil
        }
        .filter(_.exists(isUnpinned))
        .groupBy(_.canonicalized)
        .collect { case (form, places) if places.size > 1 => form }
        .toSet

  private def isUnpinned(plan: LogicalPlan) = plan match {
    // What is cached is read from the cache each time.
    case _: InMemoryRelation => false
    case leaf: LeafNode => !PinnedSource(leaf)
    case _ => false
  }
}
