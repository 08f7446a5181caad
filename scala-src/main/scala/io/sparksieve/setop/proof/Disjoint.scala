// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{
  Cast,
  Expression,
  Left => _,
  Literal,
  Right => _,
  _
}
import org.apache.spark.sql.catalyst.util.TypeUtils

import io.sparksieve.common.{SameExpression, SetEquality}

/**
 * Proves that no row passes both of two conjunctions: some conjunct of one contradicts some
 * conjunct of the other. Recognised contradictions: `c` and `NOT c`; `e IS NULL` and a comparison
 * of e; comparisons of the same expression with constants whose ranges do not overlap.
 */
private[sparksieve] object Disjoint {

  def apply(left: Seq[Expression], right: Seq[Expression]): Boolean =
    left.exists(rulesOut(_, right)) || right.exists(rulesOut(_, left))

  /** Whether each disjunct of `condition` contradicts some conjunct of `others`. */
  private def rulesOut(condition: Expression, others: Seq[Expression]): Boolean =
    disjuncts(condition).forall { way =>
      Branch.conjuncts(way).exists(c => others.exists(contradict(c, _)))
    }

  private def disjuncts(condition: Expression): Vector[Expression] = condition match {
    case Or(a, b) => disjuncts(a) ++ disjuncts(b)
    case Not(Negated(c)) => disjuncts(c)
    case other => Vector(other)
  }

  private def contradict(l: Expression, r: Expression): Boolean = (l, r) match {
    case (Or(a, b), _) => contradictsAll(a, r) && contradictsAll(b, r)
    case (_, Or(a, b)) => contradictsAll(a, l) && contradictsAll(b, l)
    case (And(a, b), _) => contradict(a, r) || contradict(b, r)
    case (_, And(a, b)) => contradict(l, a) || contradict(l, b)
    case (Not(c), _) if SameExpression(c, r) => true
    case (_, Not(c)) if SameExpression(c, l) => true
    case (Not(Negated(c)), _) => contradictsAll(c, r)
    case (_, Not(Negated(c))) => contradictsAll(c, l)
    case (IsNull(e), _) => rejectsNull(e, r)
    case (_, IsNull(e)) => rejectsNull(e, l)
    case _ =>
      (range(l), range(r)) match {
        case (Some((e, a)), Some((f, b))) => SameExpression(e, f) && !a.meets(b)
        case _ => false
      }
  }

  /** Pushes a NOT one level down: TRUE for the same rows as the negation of the condition. */
  private object Negated {
    def unapply(condition: Expression): Option[Expression] = condition match {
      case And(a, b) => Some(Or(Not(a), Not(b)))
      case Or(a, b) => Some(And(Not(a), Not(b)))
      case Not(c) => Some(c)
      case LessThan(a, b) => Some(GreaterThanOrEqual(a, b))
      case LessThanOrEqual(a, b) => Some(GreaterThan(a, b))
      case GreaterThan(a, b) => Some(LessThanOrEqual(a, b))
      case GreaterThanOrEqual(a, b) => Some(LessThan(a, b))
      case _ => None
    }
  }

  private def contradictsAll(part: Expression, other: Expression) =
    Branch.conjuncts(part).exists(p => Branch.conjuncts(other).exists(contradict(p, _)))

  /** Whether `condition` is never TRUE where `e` is NULL. */
  def rejectsNull(e: Expression, condition: Expression): Boolean = condition match {
    case IsNotNull(c) => isNullWith(e, c)
    case _: EqualNullSafe => range(condition).exists(r => SameExpression(r._1, e))
    case c: BinaryComparison => c.children.exists(isNullWith(e, _))
    case In(value, _) => isNullWith(e, value)
    case And(l, r) => rejectsNull(e, l) || rejectsNull(e, r)
    case Or(l, r) => rejectsNull(e, l) && rejectsNull(e, r)
    case _ => false
  }

  /** Whether `operand` is NULL where `e` is: it is `e`, or a cast of it. */
  private def isNullWith(e: Expression, operand: Expression): Boolean = operand match {
    case same if SameExpression(same, e) => true
    case c: Cast => isNullWith(e, c.child)
    case _ => false
  }

  /** The values of `e` for which a condition can be TRUE: bounds, or a finite set. */
  private final case class Values(
      ordering: Ordering[Any],
      lower: Option[(Any, Boolean)],
      upper: Option[(Any, Boolean)],
      members: Option[Seq[Any]]) {

    def meets(other: Values): Boolean = (members, other.members) match {
      case (Some(mine), _) => mine.exists(other.holds)
      case (None, Some(theirs)) => theirs.exists(holds)
      case _ => !below(this, other) && !below(other, this)
    }

    private def holds(v: Any): Boolean =
      members.forall(_.exists(ordering.equiv(_, v))) &&
        lower.forall { case (b, closed) => ordering.compare(v, b) > (if (closed) -1 else 0) } &&
        upper.forall { case (b, closed) => ordering.compare(v, b) < (if (closed) 1 else 0) }

    private def below(a: Values, b: Values): Boolean = (a.upper, b.lower) match {
      case (Some((u, uClosed)), Some((l, lClosed))) =>
        val order = ordering.compare(u, l)
        order < 0 || (order == 0 && !(uClosed && lClosed))
      case _ => false
    }
  }

  private def range(condition: Expression): Option[(Expression, Values)] = {
    def values(
        e: Expression,
        lower: Option[(Any, Boolean)] = None,
        upper: Option[(Any, Boolean)] = None,
        members: Option[Seq[Any]] = None) =
      // Comparisons of floats agree with Spark's ordering; strings of a collation are excluded.
      if (SetEquality.mergesFloatsOnly(e.dataType) && RowOrdering.isOrderable(e.dataType)) {
        val ordering = TypeUtils.getInterpretedOrdering(e.dataType)
        Some(e -> Values(ordering, lower, upper, members))
      } else None
    condition match {
      case EqualTo(e, Value(v)) => values(e, members = Some(Seq(v)))
      case EqualTo(Value(v), e) => values(e, members = Some(Seq(v)))
      case EqualNullSafe(e, Value(v)) => values(e, members = Some(Seq(v)))
      case EqualNullSafe(Value(v), e) => values(e, members = Some(Seq(v)))
      case LessThan(e, Value(v)) => values(e, upper = Some(v -> false))
      case LessThan(Value(v), e) => values(e, lower = Some(v -> false))
      case LessThanOrEqual(e, Value(v)) => values(e, upper = Some(v -> true))
      case LessThanOrEqual(Value(v), e) => values(e, lower = Some(v -> true))
      case GreaterThan(e, Value(v)) => values(e, lower = Some(v -> false))
      case GreaterThan(Value(v), e) => values(e, upper = Some(v -> false))
      case GreaterThanOrEqual(e, Value(v)) => values(e, lower = Some(v -> true))
      case GreaterThanOrEqual(Value(v), e) => values(e, upper = Some(v -> true))
      case In(e, list) if list.forall(Constant.unapply(_).nonEmpty) =>
        values(e, members = Some(list.collect { case Value(v) => v }))
      case _ => None
    }
  }

  /** A constant that is not NULL. */
  private object Value {
    def unapply(e: Expression): Option[Any] = Constant.unapply(e).flatMap(Option(_))
  }
}

/**
 * A literal, or one that analysis has cast to the type of the column it is compared with, as in
 * `id < 3` where id is a BIGINT. Yields the value, which may be null.
 */
private[sparksieve] object Constant {
  def unapply(e: Expression): Option[Any] = e match {
    case l: Literal => Some(l.value)
    // In ANSI mode the cast of a string may fail; then the query itself raises the error.
    case c: Cast if Constant.unapply(c.child).nonEmpty => Try(c.eval()).toOption
    case _ => None
  }
}
