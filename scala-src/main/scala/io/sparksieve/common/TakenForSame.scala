// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.IdentityHashMap

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types._

/**
 * Finds expressions that Spark treats as the same although their values may differ: sums and
 * products in another order, the literals 0.0 and -0.0. If both appear in one operator, Spark's
 * optimizer replaces `x AND NOT y` by FALSE and `x OR y` by one of the two, and generated code
 * computes one value for both. Therefore a rewrite must not bring them into the same operator.
 */
private[sparksieve] object TakenForSame {

  /** Whether Spark would confuse a part of `left` with a part of `right` of a different value. */
  def apply(left: Seq[Expression], right: Seq[Expression]): Boolean = {
    val known = mutable.Map.empty[Expression, mutable.ArrayBuffer[Expression]]
    parts(left).foreach { case (e, form) =>
      val same = known.getOrElseUpdate(form, mutable.ArrayBuffer.empty)
      if (!same.exists(SameExpression(_, e))) same += e
    }
    val harmless = new Harmless
    parts(right).exists { case (e, form) => known.get(form).exists(_.exists(!harmless(_, e))) }
  }

  /**
   * The computed parts of `expressions`, each with a form that is equal for all expressions that
   * Spark treats as the same.
   */
  private def parts(expressions: Seq[Expression]): Iterator[(Expression, Expression)] =
    expressions.iterator.flatMap { e =>
      val forms = nodes(e.transformUp { case l: Literal => form(l) })
      nodes(e).iterator.zip(forms.iterator).collect {
        case (part, simple) if !part.isInstanceOf[Attribute] => part -> simple.canonicalized
      }
    }

  private def nodes(e: Expression): Seq[Expression] = e.collect { case any => any }

  /**
   * Replaces literals that may be equal although their hashes differ by a NULL literal of the same
   * type. A literal that is equal to `l` would not work: `transformUp` does not replace a node by
   * an equal node.
   */
  private def form(l: Literal): Literal = l match {
    case Literal(v: Double, t) if v == 0 => Literal(null, t)
    case Literal(v: Float, t) if v == 0 => Literal(null, t)
    case Literal(_, t @ (_: StructType | _: ArrayType | _: MapType)) => Literal(null, t)
    case _ => l
  }
}

/**
 * Tests whether two expressions that Spark treats as the same do have the same value. The result
 * for each pair of parts is cached, because each operand of one side is compared with each operand
 * of the other side, at every level.
 */
private final class Harmless {

  private val known =
    new IdentityHashMap[Expression, IdentityHashMap[Expression, java.lang.Boolean]]

  def apply(left: Expression, right: Expression): Boolean = {
    val ofLeft = known.computeIfAbsent(left, _ => new IdentityHashMap)
    Option(ofLeft.get(right)).map(_.booleanValue).getOrElse {
      val found = compared(left, right)
      ofLeft.put(right, found)
      found
    }
  }

  private def compared(left: Expression, right: Expression): Boolean =
    SameExpression(left, right) || ((left, right) match {
      case (_: And, _: And) | (_: Or, _: Or) => oneByOne(operands(left), operands(right))
      // Spark may swap the sides of a comparison.
      case (l: BinaryComparison, r: BinaryComparison) => oneByOne(l.children, r.children)
      // The order of two operands does not matter, but the grouping of three operands does.
      case (l: BinaryOperator, r: BinaryOperator) =>
        sameArguments(l, r) && oneByOne(l.children, r.children)
      case (l: In, r: In) => apply(l.value, r.value) && oneByOne(l.list, r.list)
      case (_: Greatest, _) | (_: Least, _) => false
      case (l, r) =>
        l.children.nonEmpty && sameArguments(l, r) &&
        l.children.length == r.children.length &&
        l.children.zip(r.children).forall { case (a, b) => apply(a, b) }
    })

  private def operands(e: Expression): Seq[Expression] = e match {
    case And(l, r) => operands(l) ++ operands(r)
    case Or(l, r) => operands(l) ++ operands(r)
    case other => Seq(other)
  }

  private def oneByOne(left: Seq[Expression], right: Seq[Expression]) =
    left.forall(l => right.exists(apply(l, _))) && right.forall(r => left.exists(apply(_, r)))

  /** Whether two nodes differ at most in their operands. */
  private def sameArguments(left: Expression, right: Expression) =
    left.getClass == right.getClass &&
      SameExpression.args(left, right, _.exprId == _.exprId) {
        case _: Expression | _: Seq[_] => true
        case _ => false
      }
}
