package io.sparksieve.setop

import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.report.{Reason, Report}

/**
 * One rewrite of the set-operation room, tried on one operator. Every operator it could have
 * acted on gets exactly one verdict in the [[io.sparksieve.report.Report report]] for each place.
 */
abstract class SetOpRewrite {

  /** The rule's name in reports. */
  def name: String = getClass.getSimpleName.stripSuffix("$")

  /**
   * The rewritten operator, or the same instance where this rule does not apply. Has the same
   * output attributes. May assume that the operator's children have been rewritten.
   */
  def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan

  protected def applied(place: LogicalPlan, detail: => String): Unit =
    Report.applied(SetOpRewrite.Room, name, Place(place), detail)

  protected def declined(place: LogicalPlan, reason: Reason): Unit =
    declined(place, reason, reason.meaning)

  protected def declined(place: LogicalPlan, reason: Reason, detail: => String): Unit =
    Report.declined(SetOpRewrite.Room, name, reason, Place(place), detail)

  /** Records the verdict and yields the plan that follows from it. */
  protected def settle(place: LogicalPlan, verdict: Either[Reason, LogicalPlan])(
      detail: => String): LogicalPlan = verdict match {
    case Right(plan) =>
      applied(place, detail)
      plan
    case Left(reason) =>
      declined(place, reason)
      place
  }
}

object SetOpRewrite {

  /** The room's name in reports. */
  val Room = "setop"
}
