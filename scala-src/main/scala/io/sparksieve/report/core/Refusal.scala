package io.sparksieve.report.core

/**
 * Why a rule declines one place.
 *
 * @param reason
 *   None if nothing is to be reported, because the plan already has what the rule would add
 */
final case class Refusal(reason: Option[Reason], detail: String)

object Refusal {
  val AlreadyThere: Refusal = Refusal(None, "")
  def apply(reason: Reason, detail: String): Refusal = Refusal(Some(reason), detail)
}
