// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.common.CannotFail

/**
 * Finds the parts of an OR for which an order is worth learning. An OR evaluates a part only for
 * rows for which no part before it is true. "No part is true" is therefore a conjunction of the
 * predicates "this part is not true", and the rules for the order of a filter's predicates apply:
 * {{{
 *   s RLIKE 'x.*y' OR a > 5    =>    NOT (NOT (s RLIKE 'x.*y' <=> true) AND NOT (a > 5 <=> true))
 * }}}
 * A part that is an AND is a conjunction as well, and so on at every level below.
 */
private[adaptivefilter] object Disjuncts extends PredicateHelper {

  /**
   * For each part of an OR, in the written order, the predicate "this part is not true". Empty if
   * the OR is random, if neither this OR nor a level below allows any other order, if there are
   * more than [[Precedence.MaxPredicates]] parts, or if another order would gain nothing: all parts
   * are cheap, or parts share a costly expression, which Spark evaluates once.
   */
  def of(predicate: Expression): Seq[Conjunct] = {
    val parts = splitDisjunctivePredicates(predicate)
    // Each part of a random OR must see the same rows as in the written order.
    if (predicate.deterministic) ifWorthwhile(parts)(exclusion) else Nil
  }

  private def exclusion(part: Expression) = Conjunct(
    Not(if (part.nullable) EqualNullSafe(part, Literal.TrueLiteral) else part),
    Nil,
    !CannotFail(part),
    deterministic = true,
    ifWorthwhile(splitConjunctivePredicates(part))(p =>
      Conjunct(p, Nil, !CannotFail(p), deterministic = true, of(p)))
  )

  private def ifWorthwhile(parts: Seq[Expression])(made: Expression => Conjunct): Seq[Conjunct] =
    if (parts.size < 2 || parts.size > Precedence.MaxPredicates) Nil
    else if (parts.forall(PredicateCost.isCheap) || SharedExpressions.of(parts).nonEmpty) Nil
    else ifMayLearn(SlowMatches.guarded(parts.map(made)))

  /** The parts; empty if neither they nor their own parts allow any other order. */
  def ifMayLearn(parts: Seq[Conjunct]): Seq[Conjunct] =
    if (Precedence.of(parts).mayMove || parts.exists(_.exclusions.nonEmpty)) parts else Nil
}
