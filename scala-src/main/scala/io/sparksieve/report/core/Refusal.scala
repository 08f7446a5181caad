// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * Why a rule declines one place.
 *
 * @param reason
 *   None if nothing is to be reported, because the plan already has what the rule would add
 */
private[sparksieve] final case class Refusal(reason: Option[Reason], detail: String)

private[sparksieve] object Refusal {
  val AlreadyThere: Refusal = Refusal(None, "")
  def apply(reason: Reason, detail: String): Refusal = Refusal(Some(reason), detail)
}
