package io.sparksieve.rangesource

import Condition._

/**
 * When a filter is true, and when it is false: in SQL's logic of three values it may be neither.
 * Kept apart, NOT is an exchange of the two.
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

  /** Anything, for all that the source knows. */
  val Opaque: Truth = Truth(Condition.Opaque, Condition.Opaque)
}
