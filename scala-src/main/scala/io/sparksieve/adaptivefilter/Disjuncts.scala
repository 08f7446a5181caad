package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.common.CannotFail

/**
 * The parts of an OR that are worth an order of their own. The next part is asked only where those
 * before are not true; so "no part is true" is a conjunction, whose predicates are "this part is not
 * true", and all that holds for the order of a filter's predicates holds for these:
 * {{{
 *   s RLIKE 'x.*y' OR a > 5    =>    NOT (NOT (s RLIKE 'x.*y' <=> true) AND NOT (a > 5 <=> true))
 * }}}
 * A part that is an AND is a conjunction again, and so on at every level below.
 */
private[adaptivefilter] object Disjuncts extends PredicateHelper {

  /**
   * For each part, in the order written, the predicate that it is not true; none where there is no
   * other order than that, here or below, or nothing to gain from it.
   */
  def of(predicate: Expression): Seq[Conjunct] = {
    val parts = splitDisjunctivePredicates(predicate)
    // Of random parts, each must see the rows that it would see as written.
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
    else ifMayLearn(parts.map(made))

  /** The parts unless their order is the only one, and that of theirs too. */
  def ifMayLearn(parts: Seq[Conjunct]): Seq[Conjunct] =
    if (Precedence.of(parts).mayMove || parts.exists(_.exclusions.nonEmpty)) parts else Nil
}
