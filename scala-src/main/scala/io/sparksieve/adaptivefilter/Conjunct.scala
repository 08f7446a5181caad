package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.{ScalarSubquery => _, _}
import org.apache.spark.sql.execution.ScalarSubquery

/**
 * One predicate of a filter. A row for which it is not true is dropped.
 *
 * @param predicate
 *   over the output of the filter's child
 * @param notNull
 *   columns that are tested for NULL first; a row that has one is dropped
 * @param fallible
 *   whether it may raise an error for some row
 * @param exclusions
 *   if its parts are asked in an order of their own ([[Disjuncts]]): a row passes unless it passes
 *   all of these. Of an OR they say of each part that it is not true; of "this AND is not true" they
 *   are the parts of the AND
 */
final case class Conjunct(
    predicate: Expression,
    notNull: Seq[Attribute],
    fallible: Boolean,
    deterministic: Boolean,
    exclusions: Seq[Conjunct] = Nil) {

  /** The predicate with what is asked first, for evaluation without generated code. */
  def condition: Expression =
    notNull.foldRight(predicate)((column, rest) => And(IsNotNull(column), rest))

  /** What is left of it when its parts are asked by themselves: the columns that are not NULL. */
  def nullChecks: Conjunct =
    Conjunct(Literal.TrueLiteral, notNull, fallible = false, deterministic = true)

  /** With the values of subqueries, which have run by now. */
  def prepared: Conjunct = copy(
    predicate = predicate.transform { case s: ScalarSubquery =>
      Literal.create(s.eval(), s.dataType)
    },
    exclusions = exclusions.map(_.prepared)
  )

  /** The predicate bound to `input`, for generated code that asks for NULL itself. */
  def bound(input: Seq[Attribute]): Expression =
    BindReferences.bindReference(
      predicate,
      input.map(a => if (notNull.contains(a)) a.withNullability(false) else a))

  def references: AttributeSet = predicate.references ++ AttributeSet(notNull)

  /** Whether it asks no more than whether a column is NULL. */
  def isNullCheck: Boolean = predicate match {
    case IsNotNull(_: Attribute) => true
    case _ => false
  }

  def sql: String = predicate.sql
}
