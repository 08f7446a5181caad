// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions.{ScalarSubquery => _, _}
import org.apache.spark.sql.execution.ScalarSubquery

import io.sparksieve.common.Shorten

/**
 * One predicate of a filter. The filter drops a row for which the predicate is not true.
 *
 * @param predicate
 *   over the output of the filter's child
 * @param notNull
 *   columns that are tested for NULL first; a row in which one of them is NULL is dropped
 * @param fallible
 *   whether the predicate may raise an error for some row
 * @param isSlow
 *   whether it may take very long for a string that a predicate written before it may drop
 * @param exclusions
 *   not empty if the predicate's parts have a learned order of their own ([[Disjuncts]]): a row
 *   passes unless it passes all exclusions. For an OR, these are "this part is not true" for each
 *   part; for "this AND is not true", they are the parts of the AND
 */
private[adaptivefilter] final case class Conjunct(
    predicate: Expression,
    notNull: Seq[Attribute],
    fallible: Boolean,
    deterministic: Boolean,
    exclusions: Seq[Conjunct] = Nil,
    isSlow: Boolean = false) {

  /** Whether the predicate stays behind all that are written before it, which may guard it. */
  def staysBehind: Boolean = fallible || isSlow

  /** The NULL checks AND the predicate, for interpreted evaluation. */
  def condition: Expression =
    notNull.foldRight(predicate)((column, rest) => And(IsNotNull(column), rest))

  /** The NULL checks alone, for a predicate whose parts are evaluated separately. */
  def nullChecks: Conjunct =
    Conjunct(Literal.TrueLiteral, notNull, fallible = false, deterministic = true)

  /** A copy with each subquery, which has run by now, replaced by its value. */
  def prepared: Conjunct = copy(
    predicate = predicate.transform { case s: ScalarSubquery =>
      Literal.create(s.eval(), s.dataType)
    },
    exclusions = exclusions.map(_.prepared)
  )

  /** The predicate bound to `input`, for generated code that does the NULL checks itself. */
  def bound(input: Seq[Attribute]): Expression =
    BindReferences.bindReference(
      predicate,
      input.map(a => if (notNull.contains(a)) a.withNullability(false) else a))

  def references: AttributeSet = predicate.references ++ AttributeSet(notNull)

  /** Whether the predicate is just IS NOT NULL of a column. */
  def isNullCheck: Boolean = predicate match {
    case IsNotNull(_: Attribute) => true
    case _ => false
  }

  def sql: String = predicate.sql

  /** [[sql]], cut to a length that may be kept for each moment of many runs. */
  lazy val text: String = Shorten(sql, Conjunct.MaxText)
}

private[adaptivefilter] object Conjunct {

  private final val MaxText = 1000
}
