// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.{InnerLike, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.scan.KeyForm

/**
 * The joins below a creation side that its rows have passed by the same key. One side of such a join
 * holds all keys of the creation side, and perhaps more, and may be cheaper to collect from:
 * {{{
 *   Join Inner (l.id = a.id)
 *   :- Join Inner (l.id = p.id)        the keys of p hold those of this side,
 *   :  :- Scan l
 *   :  +- Filter (p.brand = 'x')
 *   :     +- Scan p
 *   +- Aggregate a by id               and so can filter the scan below
 * }}}
 * Spark makes such plans of correlated scalar subqueries.
 *
 * A key is a column that both joins compare as it is: no cast lies between, so its type is that of
 * both comparisons, and they agree on which keys are equal. Filters and projections between the
 * joins only drop rows and columns, whatever else they compute.
 */
private[dynamicfilter] object LowerJoins {

  /**
   * A side of a lower join.
   *
   * @param direction
   *   the lower join; its creation side holds the keys
   * @param index
   *   the position of the key among the lower join's keys
   */
  final case class Side(direction: JoinDirection, index: Int) {

    /**
     * The same side in `plan`, where filters have been put into the lower join; None if it is not
     * found exactly once.
     */
    def in(plan: LogicalPlan): Option[Side] = {
      val same = for {
        join <- plan.collect { case j: Join => j }
        if join.joinType == direction.join.joinType && join.condition == direction.join.condition
        found <- JoinDirection.of(join)
        if found.buildSide == direction.buildSide
        if found.build.outputSet == direction.build.outputSet
      } yield copy(direction = found)
      Some(same).collect { case Seq(only) => only }
    }
  }

  /**
   * The sides that hold all keys of the creation side `plan`, those of upper joins first.
   *
   * @param keys
   *   columns of the plan that have the key's value in each row that reaches the creation side; each
   *   part of the plan is visited once for all of them
   */
  def of(plan: LogicalPlan, keys: Seq[Attribute]): Seq[Side] =
    if (keys.isEmpty) Nil
    else
      plan match {
        case Project(list, child) =>
          of(child, keys.flatMap(KeyForm.below(_, list)).collect { case a: Attribute => a })
        case Filter(_, child) => of(child, keys)
        case DynamicFilter(_, _, _, child) => of(child, keys)
        case join: Join => sides(join, keys)
        case _ => Nil
      }

  private def sides(join: Join, keys: Seq[Attribute]): Seq[Side] = {
    // The keys of the right side of a semi-join hold those that come out of the left side.
    val isHeld = join.joinType match {
      case _: InnerLike | LeftSemi => true
      case _ => false
    }
    val own = for {
      direction <- JoinDirection.of(join)
      index <- direction.buildKeys.indices
      pair = Seq(direction.buildKeys(index), direction.probeKeys(index))
      if pair.exists(p => keys.exists(EqualKeys.areSame(p, _)))
    } yield Side(direction, index)
    val below = EqualKeys.below(join, keys).collect { case a: Attribute => a }.distinct
    val (left, right) = below.partition(EqualKeys.inLeft(join, _))
    (if (isHeld) own else Nil) ++ of(join.left, left) ++ of(join.right, right)
  }
}
