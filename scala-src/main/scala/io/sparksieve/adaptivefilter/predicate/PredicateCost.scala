// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.predicate

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._

/** Tells which predicates cost about as little as looking up the next predicate of an order. */
private[adaptivefilter] object PredicateCost {

  /** Whether `e` consists of comparisons and simple arithmetic of numbers, dates and times. */
  def isCheap(e: Expression): Boolean = (e match {
    case _: Attribute | _: Literal | _: IsNull | _: IsNotNull => true
    case in: In => in.list.size <= FewValues
    case _: BinaryComparison | _: And | _: Or | _: Not => true
    case _: Add | _: Subtract | _: Multiply | _: UnaryMinus | _: IsNaN => true
    case c: Cast => isNumber(c.child.dataType) && isNumber(c.dataType)
    case _ => false
  }) && (isNumber(e.dataType) || isNullTest(e)) && e.children.forall(c =>
    isNullTest(e) || isCheap(c))

  // Does not read the value.
  private def isNullTest(e: Expression) = e match {
    case IsNull(_: Attribute) | IsNotNull(_: Attribute) => true
    case _ => false
  }

  private def isNumber(dataType: DataType) = dataType match {
    case BooleanType | DateType | TimestampType | TimestampNTZType => true
    case d: DecimalType => d.precision <= Decimal.MAX_LONG_DIGITS
    case _: NumericType => true
    case _ => false
  }

  private val FewValues = 10
}

/**
 * The predicates of a filter of single rows. Predicates that are cheap and free to move are merged
 * into one, because ordering them would gain less than looking up the order costs.
 */
private[adaptivefilter] object RowConjuncts {

  def apply(conjuncts: Seq[Conjunct]): Seq[Conjunct] = merged(conjuncts).map { c =>
    // A part of an OR that is an AND is a list of predicates as well, which are merged alike.
    val parts = c.exclusions.map { part =>
      part.copy(exclusions = Disjuncts.ifMayLearn(apply(part.exclusions)))
    }
    c.copy(exclusions = Disjuncts.ifMayLearn(parts))
  }

  /** Whether, after merging, there is more than one predicate, or a predicate with parts. */
  def mayLearn(conjuncts: Seq[Conjunct]): Boolean = {
    val costs = apply(conjuncts)
    costs.size > 1 || costs.exists(_.exclusions.nonEmpty)
  }

  private def merged(conjuncts: Seq[Conjunct]): Seq[Conjunct] = {
    val precedence = Precedence.of(conjuncts)
    val cheap = conjuncts.indices.filter(k =>
      precedence.isFree(k) && PredicateCost.isCheap(conjuncts(k).predicate))
    if (cheap.size < 2) conjuncts
    else {
      val one = Conjunct(
        cheap.map(conjuncts(_).condition).reduce(And(_, _)),
        Nil,
        fallible = false,
        deterministic = true)
      conjuncts.indices.flatMap { k =>
        if (k == cheap.head) Some(one) else if (cheap.contains(k)) None else Some(conjuncts(k))
      }
    }
  }
}
