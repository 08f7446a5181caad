// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.report.core.{Features, OperatorDescription, Refusal, Report}
import io.sparksieve.setop.proof.{Branch, SetOpContext}

/**
 * One rewrite of the set-operation feature, tried on one operator. Each operator that the rewrite
 * could apply to gets exactly one verdict per place in the [[io.sparksieve.report.core.Report report]].
 */
private[sparksieve] abstract class SetOpRewrite {

  /** The rule's name in reports. */
  def name: String = getClass.getSimpleName.stripSuffix("$")

  /**
   * The rewritten operator, or the same instance where this rule does not apply. The result has the
   * same output attributes. The operator's children have already been rewritten.
   */
  def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan

  protected def applied(place: LogicalPlan, detail: => String): Unit =
    Report.applied(Features.SetOp, name, OperatorDescription(place), detail)

  protected def declined(place: LogicalPlan, refusal: Refusal): Unit =
    refusal.reason.foreach { reason =>
      Report.declined(Features.SetOp, name, reason, OperatorDescription(place), refusal.detail)
    }

  /** Records the verdict and returns the resulting plan. */
  protected def settle(place: LogicalPlan, verdict: Either[Refusal, LogicalPlan])(
      detail: => String): LogicalPlan = settle(place, place, verdict)(detail)

  /** Records the verdict on a part of `place`; returns `asItWas` if the rewrite is declined. */
  protected def settle[T](place: LogicalPlan, asItWas: T, verdict: Either[Refusal, T])(
      detail: => String): T = verdict match {
    case Right(rewritten) =>
      applied(place, detail)
      rewritten
    case Left(refusal) =>
      declined(place, refusal)
      asItWas
  }

  /**
   * Applies `rewrite` to each conjunct of `f`, with the other conjuncts as second argument. Returns
   * `f` itself if nothing changed.
   */
  protected def withConjuncts(f: Filter)(
      rewrite: (Expression, Seq[Expression]) => Expression): LogicalPlan = {
    val conjuncts = Branch.conjuncts(f.condition)
    val rewritten = conjuncts.map(c => rewrite(c, conjuncts.filterNot(_ eq c)))
    if (rewritten.zip(conjuncts).forall { case (a, b) => a eq b }) f
    else f.copy(condition = rewritten.reduce(And(_, _)))
  }
}
