package io.sparksieve.dynamicfilter

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.plans.logical._

/**
 * Parts of a query that stand in it more than once, such as a WITH clause that is read twice, and
 * that Spark computes once, because it reuses the exchange above them. A filter that comes from
 * outside of such a part into one of its places would make another part of it.
 */
private[dynamicfilter] final class SharedParts(root: LogicalPlan) {

  private lazy val all = root.collectWithSubqueries { case plan => plan }

  /** How often a part that is exchanged stands in the query, by its form. */
  private lazy val parts: Map[LogicalPlan, Int] = count(all.flatMap {
    case j: Join if !BroadcastJoin(j) => j.children.filter(isCostly).map(withoutNames)
    case p if Exchanges(p) => Seq(p)
    case _ => Nil
  })

  private lazy val joins: Map[LogicalPlan, Int] = count(all.filter(_.isInstanceOf[Join]))

  private def count(places: Seq[LogicalPlan]) =
    places.groupBy(_.canonicalized).map { case (form, same) => form -> distinct(same).size }

  // A projection that only renames has the form of what is below it.
  @tailrec
  private def withoutNames(plan: LogicalPlan): LogicalPlan = plan match {
    case Project(_, child) if plan.canonicalized == child.canonicalized => withoutNames(child)
    case other => other
  }

  // To read files twice, once with a filter, is no loss.
  private def isCostly(plan: LogicalPlan) =
    plan.exists(p => p.isInstanceOf[Join] || Exchanges(p))

  // An aggregation that is a side of a join is met twice.
  private def distinct(places: Seq[LogicalPlan]) = {
    val seen = java.util.Collections.newSetFromMap(
      new java.util.IdentityHashMap[LogicalPlan, java.lang.Boolean])
    places.filter(seen.add)
  }

  /** Whether `part` is computed once for more places than the join has in which it stands. */
  def moreOften(join: Join, part: LogicalPlan): Boolean =
    isCostly(part) && {
      val places = parts.getOrElse(part.canonicalized, 1)
      places > 1 && places > joins.getOrElse(join.canonicalized, 1)
    }
}
