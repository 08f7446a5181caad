// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.common.{CannotFail, NullForNull}

/**
 * Splits a filter's condition into predicates, in an order in which each predicate that can fail
 * or is random is evaluated only for rows for which Spark evaluates it too.
 *
 * Spark has two ways to evaluate a condition. It is known only when the filter runs which of them
 * Spark uses: the generated code may be too long, or not compile.
 *
 *   - With whole-stage code generation, Spark evaluates the predicates as written and stops at the
 *     first that is not true. NULL checks (IS NOT NULL of a column or of an expression that is NULL
 *     where a column is) do not count as predicates there: the check of a column runs just before
 *     the first predicate that reads the column, and all other checks run after all predicates.
 *   - Without it (whole-stage code generation is off, more columns than
 *     `spark.sql.codegen.maxFields`, an expression without code) and in the conditions of joins,
 *     Spark evaluates an AND as written, NULL checks included: it stops at the first part that is
 *     false, and continues after a part that is NULL.
 *
 * A predicate that can fail therefore runs after everything that precedes it in either way: all
 * predicates and checks written before it and, if it is itself a NULL check of an expression, all
 * predicates. No order is right for both ways if these constraints contradict each other, or if the
 * two ways evaluate a random predicate for different rows: see [[differ]].
 */
private[adaptivefilter] object Conjuncts extends PredicateHelper {

  def of(condition: Expression, input: Seq[Attribute]): Seq[Conjunct] = {
    val written = new Written(condition, input)
    import written._
    val (late, inPlace) = (predicates ++ kept).sortBy(_._2).partition { case (e, _) =>
      isCheck(e) && !CannotFail(e)
    }
    def guards(at: Int) = nullable.filter(checkedBefore(at).contains)
    val conjuncts = inPlace.map { case (e, at) =>
      val own =
        if (isCheck(e)) Nil
        else nullable.filter(a => e.references.contains(a) && notNull.contains(a))
      conjunct(e, if (waits(e)) (own ++ guards(at)).distinct else own)
    }
    val behind = late.map { case (e, at) => conjunct(e, guards(at)) }
    val covered = AttributeSet((conjuncts ++ behind).flatMap(_.notNull))
    // An AttributeSet compares ids: the condition may qualify a column differently than the input.
    val uncovered = AttributeSet(nullable) -- covered
    val others = checks.collect {
      case (check @ IsNotNull(a: Attribute), _) if uncovered.contains(a) => conjunct(check, Nil)
    }
    SlowMatches.guarded(conjuncts ++ others ++ behind)
  }

  /**
   * Whether no order is right for both ways in which Spark may evaluate the condition: a NULL check
   * that can fail is written before a predicate that can fail, or the two ways evaluate a random
   * predicate (or a random check) for different rows.
   */
  def differ(condition: Expression, input: Seq[Attribute]): Boolean = {
    val written = new Written(condition, input)
    import written._
    val failingGuard = kept.exists { case (check, at) =>
      waits(check) && predicates.exists { case (p, i) => i > at && waits(p) }
    }
    failingGuard || kept.exists(!_._1.deterministic) || predicates.exists { case (p, at) =>
      !p.deterministic && !seesTheSameRows(written, p, at)
    }
  }

  /** Whether both ways evaluate a random predicate for the same rows. */
  private def seesTheSameRows(written: Written, random: Expression, at: Int): Boolean = {
    import written._
    val before = predicates.collect { case (p, i) if i < at => p }
    val checked = checkedBefore(at)
    val inCode = nullable.filter(a =>
      notNull.contains(a) && (random +: before).exists(_.references.contains(a)))
    // After a predicate that is NULL, an AND continues and whole-stage code stops.
    val isNeverNull = before.forall(!_.transform {
      case a: Attribute if checked.contains(a) => a.withNullability(false)
    }.nullable)
    isNeverNull && inCode.toSet == nullable.filter(checked.contains).toSet &&
    checks.forall { case (IsNotNull(e), i) => i > at || e.isInstanceOf[Attribute]; case _ => false }
  }

  /** Columns that are not NULL in any row that passes, with ids as in the output of FilterExec. */
  def neverNull(condition: Expression, input: Seq[Attribute]): AttributeSet =
    new Written(condition, input).notNull

  /**
   * Whether `e` may be evaluated only for rows for which Spark evaluates it: it can fail or is
   * random.
   */
  private def waits(e: Expression) = !CannotFail(e) || !e.deterministic

  private def conjunct(predicate: Expression, notNull: Seq[Attribute]) =
    Conjunct(
      predicate,
      notNull,
      !CannotFail(predicate),
      predicate.deterministic,
      Disjuncts.of(predicate))

  /** The parts of a condition, each with its position. */
  private final class Written(condition: Expression, input: Seq[Attribute]) {

    private val inputs = AttributeSet(input)
    private val parts = splitConjunctivePredicates(condition).zipWithIndex

    /** The parts that whole-stage code treats as NULL checks. */
    val checks: Seq[(Expression, Int)] = parts.filter(p => isCheck(p._1))

    val predicates: Seq[(Expression, Int)] = parts.filterNot(p => isCheck(p._1))

    def isCheck(e: Expression): Boolean = e match {
      case IsNotNull(child) => isNullIntolerant(child) && child.references.subsetOf(inputs)
      case _ => false
    }

    val nullable: Seq[Attribute] = input.filter(_.nullable)

    val notNull: AttributeSet = AttributeSet(checks.flatMap(_._1.references))

    /** Columns whose IS NOT NULL is written before position `at`. */
    def checkedBefore(at: Int): AttributeSet = AttributeSet(checks.collect {
      case (IsNotNull(a: Attribute), i) if i < at => a
    })

    /** NULL checks of expressions, except those that a predicate implies. */
    val kept: Seq[(Expression, Int)] = checks.filter {
      case (IsNotNull(_: Attribute), _) => false
      case (IsNotNull(e), at) => !isImplied(e, at)
      case _ => true
    }

    /**
     * Whether some predicate drops the rows where `e` is NULL, and the check guards no predicate.
     * Spark's optimizer adds such checks. Expressions are compared as written, because Catalyst's
     * canonical form treats two sums as equal even if only one of them overflows.
     */
    private def isImplied(e: Expression, at: Int) =
      predicates.exists { case (p, _) => NullForNull(p) && p.exists(_ == e) } &&
        parts.forall { case (p, i) => i <= at || !waits(p) || failsThrough(p, e) }

    /** Whether `p` fails only where `e` fails. */
    private def failsThrough(p: Expression, e: Expression) =
      p.deterministic && CannotFail(p.transform {
        case same if same == e => AttributeReference("e", e.dataType, e.nullable)()
      })
  }
}
