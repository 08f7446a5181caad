package io.sparksieve.rangesource

import Condition._

/**
 * The conditions under which a filter is true and is false; in SQL's three-valued logic it may be
 * neither. With both conditions, NOT only swaps them.
 */
final case class Truth(whenTrue: Condition, whenFalse: Condition) {

  def unary_! : Truth = Truth(whenFalse, whenTrue)

  def &&(other: Truth): Truth =
    Truth(and(whenTrue, other.whenTrue), or(whenFalse, other.whenFalse))

  def ||(other: Truth): Truth =
    Truth(or(whenTrue, other.whenTrue), and(whenFalse, other.whenFalse))
}

object Truth {

  val True: Truth = Truth(Always, Never)

  val False: Truth = Truth(Never, Always)

  /** NULL: neither true nor false. */
  val Null: Truth = Truth(Never, Never)

  /** Unknown to the source: only Spark can evaluate the filter. */
  val Opaque: Truth = Truth(Condition.Opaque, Condition.Opaque)
}
