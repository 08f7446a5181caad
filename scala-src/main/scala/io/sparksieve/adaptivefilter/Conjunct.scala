package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.{ScalarSubquery => _, _}
import org.apache.spark.sql.execution.ScalarSubquery

import io.sparksieve.Infallible

/**
 * One predicate of a filter. A row for which it is not true is dropped.
 *
 * @param predicate
 *   over the output of the filter's child
 * @param notNull
 *   columns that are asked for NULL first; a row that has one is dropped
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

/**
 * The predicates of a filter's condition in the order in which Spark's own filter asks them: those
 * that were written, each behind the NULL checks of its columns, and at the end the NULL checks
 * that no other predicate is behind. The optimizer puts such checks in front, of whole expressions
 * too, where some could fail that the written guards keep from failing.
 */
object Conjuncts extends PredicateHelper {

  def of(condition: Expression, input: Seq[Attribute]): Seq[Conjunct] = {
    val (checks, predicates) = nullChecks(condition, input)
    val notNull = AttributeSet(checks.flatMap(_.references))
    val written = predicates.map(p => conjunct(p, columns(p, input).filter(notNull.contains)))
    val nullable = AttributeSet(input.filter(_.nullable))
    val covered = AttributeSet(written.flatMap(_.notNull))
    val others = checks.filter {
      case IsNotNull(a: Attribute) => nullable.contains(a) && !covered.contains(a)
      // A predicate that is NULL where this is drops the row already.
      case IsNotNull(e) =>
        !predicates.exists(p => isNullIntolerant(p) && p.exists(_.semanticEquals(e)))
      case _ => true
    }
    written ++ others.map(conjunct(_, Nil))
  }

  /** Columns that are NULL in no row that passes, by their ids in the output of Spark's filter. */
  def neverNull(condition: Expression, input: Seq[Attribute]): AttributeSet =
    AttributeSet(nullChecks(condition, input)._1.flatMap(_.references))

  /** The checks for NULL that Spark's filter takes for such, and the other predicates. */
  private def nullChecks(condition: Expression, input: Seq[Attribute]) = {
    val inputs = AttributeSet(input)
    splitConjunctivePredicates(condition).partition {
      case IsNotNull(e) => isNullIntolerant(e) && e.references.subsetOf(inputs)
      case _ => false
    }
  }

  private def columns(predicate: Expression, input: Seq[Attribute]) =
    input.filter(a => a.nullable && predicate.references.contains(a))

  private def conjunct(predicate: Expression, notNull: Seq[Attribute]) =
    Conjunct(
      predicate,
      notNull,
      !Infallible(predicate),
      predicate.deterministic,
      Disjuncts.of(predicate))
}
