// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern.EVAL_PYTHON_UDF
import org.apache.spark.sql.execution.columnar.InMemoryRelation

/**
 * Finds the parts of a query that appear more than once, such as a WITH clause that is read twice,
 * and that Spark computes once, because it reuses the exchange above them. A filter that is pushed
 * from outside into one occurrence would make it differ from the others, and Spark would compute it
 * separately. Files may be read once more, but Python is never called once more.
 */
private[dynamicfilter] final class SharedParts(root: LogicalPlan) {

  private lazy val all = root.collectWithSubqueries { case plan => plan }

  /** The number of occurrences of each exchanged part in the query, by canonicalized plan. */
  private lazy val parts: Map[LogicalPlan, Int] = count(all.flatMap {
    case j: Join if !BroadcastJoin(j) => j.children.filter(isCostly).map(withoutNames)
    case p if Exchanges(p) => Seq(p)
    case _ => Nil
  })

  /**
   * The number of occurrences of each part that calls Python. Which exchange above such a part is
   * reused does not matter: below a join, a window, a broadcast or at the top of a subquery.
   */
  private lazy val calls: Map[LogicalPlan, Int] =
    count(all.filter(p => callsPython(p) && (withoutNames(p) eq p)))

  private lazy val joins: Map[LogicalPlan, Int] = count(all.filter(_.isInstanceOf[Join]))

  // Those that can get the same filter as another: no side that calls Python is filtered in a
  // subquery.
  private lazy val joinsOutside: Map[LogicalPlan, Int] =
    count(outsideSubqueries(root).filter(_.isInstanceOf[Join]))

  private def outsideSubqueries(plan: LogicalPlan): Seq[LogicalPlan] = plan.collect {
    case filter: DynamicFilter => filter +: filter.subqueries.flatMap(outsideSubqueries)
    case other => Seq(other)
  }.flatten

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
    case _: Join => true
    case other => Exchanges(other)
  }

  private def callsPython(plan: LogicalPlan) = plan.containsPattern(EVAL_PYTHON_UDF)

  // Counts each instance once: `parts` lists an aggregate that is a side of a join twice.
  private def distinct(places: Seq[LogicalPlan]) = {
    val seen = java.util.Collections.newSetFromMap(
      new java.util.IdentityHashMap[LogicalPlan, java.lang.Boolean])
    places.filter(seen.add)
  }

  /** Whether Spark computes `part` once for more places than those inside copies of `join`. */
  def moreOften(join: Join, part: LogicalPlan): Boolean = {
    def isMore(places: Map[LogicalPlan, Int], copies: Map[LogicalPlan, Int]) = {
      val number = places.getOrElse(part.canonicalized, 1)
      number > 1 && number > copies.getOrElse(join.canonicalized, 1)
    }
    // Spark optimizes a subquery by itself, and may reuse exchanges of the query around it.
    if (callsPython(part)) root.isInstanceOf[Subquery] || isMore(calls, joinsOutside)
    else isCostly(part) && isMore(parts, joins)
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
