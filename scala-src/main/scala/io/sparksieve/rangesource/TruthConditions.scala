// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import Condition._

/**
 * The conditions under which a filter is true and is false; in SQL's three-valued logic it may be
 * neither. With both conditions, NOT only swaps them.
 */
private[rangesource] final case class TruthConditions(whenTrue: Condition, whenFalse: Condition) {

  def unary_! : TruthConditions = TruthConditions(whenFalse, whenTrue)

  def &&(other: TruthConditions): TruthConditions =
    TruthConditions(and(whenTrue, other.whenTrue), or(whenFalse, other.whenFalse))

  def ||(other: TruthConditions): TruthConditions =
    TruthConditions(or(whenTrue, other.whenTrue), and(whenFalse, other.whenFalse))
}

private[rangesource] object TruthConditions {

  val True: TruthConditions = TruthConditions(Always, Never)

  val False: TruthConditions = TruthConditions(Never, Always)

  /** NULL: neither true nor false. */
  val Null: TruthConditions = TruthConditions(Never, Never)

  /** Unknown to the source: only Spark can evaluate the filter. */
  val Opaque: TruthConditions = TruthConditions(Condition.Opaque, Condition.Opaque)
}
