// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/** Why a rule declines one place: a [[Reason]] alone, or one with what is particular to the place. */
private[sparksieve] trait Refusal {

  /** None if nothing is to be reported, because the plan already has what the rule would add. */
  def reason: Option[Reason]

  /** One sentence for the user. */
  def detail: String
}

private[sparksieve] object Refusal {
  private final case class Detailed(reason: Option[Reason], detail: String) extends Refusal

  val AlreadyThere: Refusal = Detailed(None, "")

  def apply(reason: Reason, detail: String): Refusal = Detailed(Some(reason), detail)
}
