// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.sql.catalyst.expressions.{Cast => SparkCast}
import org.apache.spark.sql.connector.expressions.{Cast, Expression, Literal, NamedReference}
import org.apache.spark.sql.connector.expressions.filter.{
  AlwaysFalse,
  AlwaysTrue,
  And,
  Not,
  Or,
  Predicate
}
import org.apache.spark.sql.sources
import org.apache.spark.sql.types.{DataType, DecimalType, LongType}

/**
 * Translates the filters of one of Spark's APIs. An unknown filter becomes [[TruthConditions.Opaque]], which
 * is not an error: Spark evaluates the filter.
 */
private[rangesource] trait FilterReader[F] {

  def apply(filter: F): TruthConditions

  /**
   * The operands of a chain of ANDs or ORs, from left to right, whichever side the chain nests on.
   * Chains of thousands are common (a program writes a list as ORs), and recursion over them would
   * overflow the stack.
   *
   * @param split
   *   returns the two sides of a node that belongs to the chain
   */
  protected def chain(whole: F)(split: PartialFunction[F, (F, F)]): Seq[F] = {
    val parts = Seq.newBuilder[F]
    var left = List(whole)
    while (left.nonEmpty) {
      val next = left.head
      left = split.lift(next) match {
        case Some((a, b)) => a :: b :: left.tail
        case None =>
          parts += next
          left.tail
      }
    }
    parts.result()
  }
}

/** Translates DSv1 filters, whose columns are names, quoted where they are nested. */
private[rangesource] final class V1Filters(options: RangeDbOptions)
    extends FilterReader[sources.Filter] {

  private val compare = new Comparisons(options.rows)

  override def apply(filter: sources.Filter): TruthConditions = filter match {
    case and: sources.And =>
      chain(and) { case sources.And(a, b) => (a, b) }.map(apply).reduce(_ && _)
    case or: sources.Or =>
      chain(or) { case sources.Or(a, b) => (a, b) }.map(apply).reduce(_ || _)
    case sources.Not(child) => !apply(child)
    case _: sources.AlwaysTrue => TruthConditions.True
    case _: sources.AlwaysFalse => TruthConditions.False
    case sources.EqualTo(name, value) => of(name)(compare.equalTo(_, value))
    case sources.EqualNullSafe(name, value) => of(name)(compare.equalNullSafe(_, value))
    case sources.LessThan(name, value) => of(name)(compare.lessThan(_, value))
    case sources.LessThanOrEqual(name, value) => of(name)(compare.atMost(_, value))
    case sources.GreaterThan(name, value) => of(name)(!compare.atMost(_, value))
    case sources.GreaterThanOrEqual(name, value) => of(name)(!compare.lessThan(_, value))
    case sources.In(name, values) => of(name)(compare.in(_, values.toSeq))
    case sources.IsNull(name) =>
      if (options.has(Seq(name))) TruthConditions.False else TruthConditions.Opaque
    case sources.IsNotNull(name) =>
      if (options.has(Seq(name))) TruthConditions.True else TruthConditions.Opaque
    case _ => TruthConditions.Opaque
  }

  private def of(name: String)(truth: RangeColumn => TruthConditions): TruthConditions =
    options.column(Seq(name)).fold(TruthConditions.Opaque)(truth)
}

/** Translates DSv2 predicates: named functions over columns, literals and their casts. */
private[rangesource] final class V2Predicates(options: RangeDbOptions)
    extends FilterReader[Predicate] {

  private val compare = new Comparisons(options.rows)

  override def apply(predicate: Predicate): TruthConditions = predicate match {
    case and: And => chain(and) { case a: And => (a.left, a.right) }.map(apply).reduce(_ && _)
    case or: Or => chain(or) { case o: Or => (o.left, o.right) }.map(apply).reduce(_ || _)
    case not: Not => !apply(not.child)
    case _: AlwaysTrue => TruthConditions.True
    case _: AlwaysFalse => TruthConditions.False
    case other => named(other.name, other.children.toSeq)
  }

  private def named(name: String, children: Seq[Expression]): TruthConditions =
    (name, children) match {
      case ("IN", Seq(Column(column), list @ _*)) =>
        val values = list.collect { case Value(value) => value }
        if (values.size == list.size) compare.in(column, values) else TruthConditions.Opaque
      case ("IS_NULL", Seq(ref: NamedReference)) if options.has(ref.fieldNames.toSeq) =>
        TruthConditions.False
      case ("IS_NOT_NULL", Seq(ref: NamedReference)) if options.has(ref.fieldNames.toSeq) =>
        TruthConditions.True
      case (_, Seq(Column(column), Value(value))) => compared(name, column, value)
      case (_, Seq(Value(value), Column(column))) => compared(flipped(name), column, value)
      case _ => TruthConditions.Opaque
    }

  private def compared(name: String, column: RangeColumn, value: Any): TruthConditions =
    name match {
      case "=" => compare.equalTo(column, value)
      case "<>" => !compare.equalTo(column, value)
      case "<=>" => compare.equalNullSafe(column, value)
      case "<" => compare.lessThan(column, value)
      case "<=" => compare.atMost(column, value)
      case ">" => !compare.atMost(column, value)
      case ">=" => !compare.lessThan(column, value)
      case _ => TruthConditions.Opaque
    }

  private def flipped(name: String) = name match {
    case "<" => ">"
    case "<=" => ">="
    case ">" => "<"
    case ">=" => "<="
    case "=" | "<>" | "<=>" => name
    case _ => "?"
  }

  /** Matches a column, or its up-cast to a type that keeps its values distinct and in order. */
  private object Column {
    def unapply(expression: Expression): Option[RangeColumn] = expression match {
      case ref: NamedReference => options.column(ref.fieldNames.toSeq)
      case cast: Cast => unapply(cast.expression).filter(holds(cast.dataType, _))
      case _ => None
    }
  }

  // Spark up-casts longs to doubles too, but several longs become the same double.
  private def holds(wider: DataType, column: RangeColumn): Boolean = wider match {
    case LongType | _: DecimalType => SparkCast.canUpCast(column.dataType(options.rows), wider)
    case _ => false
  }

  private object Value {
    def unapply(expression: Expression): Option[Any] = expression match {
      case literal: Literal[_] => Some(literal.value)
      case _ => None
    }
  }
}
