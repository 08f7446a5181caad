package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions._

import io.sparksieve.common.CannotFail

/**
 * The predicates of a filter's condition, in an order in which each is evaluated only for rows for
 * which Spark evaluates it too.
 *
 * Spark has two ways to evaluate a condition, and which one runs is not known before the filter
 * runs: code may turn out to be too long, or not compile.
 *
 *   - In generated code of a whole stage it evaluates the predicates as written and stops at the
 *     first that is not true. NULL checks (IS NOT NULL of a column or of an expression that is NULL
 *     where a column is) are no predicates there: the check of a column comes just before the first
 *     predicate with that column, and all other checks come after all predicates.
 *   - Without (whole-stage code off, more columns than `spark.sql.codegen.maxFields`, an expression
 *     without code) and in the conditions of joins it evaluates an AND as written, which stops at the
 *     first part that is false, checks among them, and goes on behind a part that is NULL.
 *
 * A predicate that can fail therefore waits for all that comes before it in either way: all
 * predicates and checks that are written before it and, if it is itself such a check of an
 * expression, all predicates. Where these contradict each other, and where a random predicate would
 * be evaluated for other rows in one way than in the other, there is no such order: [[differ]].
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
    // By their ids: the condition may name a column with another qualifier than the input does.
    val uncovered = AttributeSet(nullable) -- covered
    val others = checks.collect {
      case (check @ IsNotNull(a: Attribute), _) if uncovered.contains(a) => conjunct(check, Nil)
    }
    conjuncts ++ others ++ behind
  }

  /**
   * Whether no order is right for both ways in which Spark may evaluate the condition: a check that
   * can fail is written before a predicate that can fail, or a random predicate is evaluated for
   * other rows in the one way than in the other.
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

  /** Whether the rows for which a random predicate is evaluated are the same in both ways. */
  private def seesTheSameRows(written: Written, random: Expression, at: Int): Boolean = {
    import written._
    val before = predicates.collect { case (p, i) if i < at => p }
    val checked = checkedBefore(at)
    val inCode = nullable.filter(a =>
      notNull.contains(a) && (random +: before).exists(_.references.contains(a)))
    // Behind a NULL the one way goes on, and the other stops.
    val isNeverNull = before.forall(!_.transform {
      case a: Attribute if checked.contains(a) => a.withNullability(false)
    }.nullable)
    isNeverNull && inCode.toSet == nullable.filter(checked.contains).toSet &&
    checks.forall { case (IsNotNull(e), i) => i > at || e.isInstanceOf[Attribute]; case _ => false }
  }

  /** Columns that are NULL in no row that passes, by their ids in the output of Spark's filter. */
  def neverNull(condition: Expression, input: Seq[Attribute]): AttributeSet =
    new Written(condition, input).notNull

  /** Whether it must not be evaluated for rows for which Spark does not. */
  private def waits(e: Expression) = !CannotFail(e) || !e.deterministic

  private def conjunct(predicate: Expression, notNull: Seq[Attribute]) =
    Conjunct(
      predicate,
      notNull,
      !CannotFail(predicate),
      predicate.deterministic,
      Disjuncts.of(predicate))

  /** The parts of a condition, each with its place. */
  private final class Written(condition: Expression, input: Seq[Attribute]) {

    private val inputs = AttributeSet(input)
    private val parts = splitConjunctivePredicates(condition).zipWithIndex

    /** What generated code takes for NULL checks. */
    val checks: Seq[(Expression, Int)] = parts.filter(p => isCheck(p._1))

    val predicates: Seq[(Expression, Int)] = parts.filterNot(p => isCheck(p._1))

    def isCheck(e: Expression): Boolean = e match {
      case IsNotNull(child) => isNullIntolerant(child) && child.references.subsetOf(inputs)
      case _ => false
    }

    val nullable: Seq[Attribute] = input.filter(_.nullable)

    val notNull: AttributeSet = AttributeSet(checks.flatMap(_._1.references))

    /** Columns whose checks are written before a place. */
    def checkedBefore(at: Int): AttributeSet = AttributeSet(checks.collect {
      case (IsNotNull(a: Attribute), i) if i < at => a
    })

    /** Checks of expressions, but for those whose work predicates do. */
    val kept: Seq[(Expression, Int)] = checks.filter {
      case (IsNotNull(_: Attribute), _) => false
      case (IsNotNull(e), at) => !isImplied(e, at)
      case _ => true
    }

    /**
     * Whether a predicate drops the rows where `e` is NULL, and nothing is guarded by the check.
     * Spark's optimizer adds such checks. They are compared as they stand: Catalyst's canonical form
     * takes sums for the same of which one overflows and the other does not.
     */
    private def isImplied(e: Expression, at: Int) =
      predicates.exists { case (p, _) => isNullWith(p) && p.exists(_ == e) } &&
        parts.forall { case (p, i) => i <= at || !waits(p) || failsThrough(p, e) }

    /** Whether `p` is NULL where anything in it but a literal is. */
    private def isNullWith(p: Expression) = isNullIntolerant(p.transform { case l: Literal =>
      AttributeReference("literal", l.dataType, l.nullable)()
    })

    /** Whether `p` fails only where `e` does. */
    private def failsThrough(p: Expression, e: Expression) =
      p.deterministic && CannotFail(p.transform {
        case same if same == e => AttributeReference("e", e.dataType, e.nullable)()
      })
  }
}
