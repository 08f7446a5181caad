// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * The outcome at one place of a plan, as a row of a report shows it.
 *
 * @param name
 *   the name in `sieve_report`
 */
private[report] sealed abstract class Outcome(val name: String) extends Product with Serializable

private[report] object Outcome {

  /** The rule acted on the place. */
  case object Applied extends Outcome("applied")

  /** The rule left the place as it was. */
  final case class Declined(reason: Reason) extends Outcome("declined")

  /** An operator of the last run reports what it measured. */
  case object Measured extends Outcome("measured")
}
