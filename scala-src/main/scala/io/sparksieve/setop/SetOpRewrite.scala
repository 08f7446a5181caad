package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{And, Expression}
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
      detail: => String): LogicalPlan = settle(place, place, verdict)(detail)

  /** The same for a part of `place`, which stays `asItWas` if the verdict is no. */
  protected def settle[T](place: LogicalPlan, asItWas: T, verdict: Either[Reason, T])(
      detail: => String): T = verdict match {
    case Right(rewritten) =>
      applied(place, detail)
      rewritten
    case Left(reason) =>
      declined(place, reason)
      asItWas
  }

  /** `f` with each conjunct, given with the others, as `rewrite` has it; `f` if nothing changed. */
  protected def withConjuncts(f: Filter)(
      rewrite: (Expression, Seq[Expression]) => Expression): LogicalPlan = {
    val conjuncts = Branch.conjuncts(f.condition)
    val rewritten = conjuncts.map(c => rewrite(c, conjuncts.filterNot(_ eq c)))
    if (rewritten.zip(conjuncts).forall { case (a, b) => a eq b }) f
    else f.copy(condition = rewritten.reduce(And(_, _)))
  }
}

object SetOpRewrite {

  /** The room's name in reports. */
  val Room = "setop"
}
