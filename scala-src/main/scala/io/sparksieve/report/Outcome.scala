package io.sparksieve.report

/**
 * What a row of a report says of its place.
 *
 * @param name
 *   as `sieve_report` shows it
 */
sealed abstract class Outcome(val name: String) extends Product with Serializable

object Outcome {

  /** The rule acted on the place. */
  case object Applied extends Outcome("applied")

  /** The rule left the place as it was. */
  final case class Declined(reason: Reason) extends Outcome("declined")

  /** An operator of the last run tells what it did. */
  case object Measured extends Outcome("measured")
}
