// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.ExactLiterals
import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.bytes.{BytesKeySet, BytesKeyType}
import io.sparksieve.keyset.longs.{LongKeyFilter, LongKeyType}

/**
 * Converts keys to predicates that Spark translates to source filters: comparisons of the bare
 * column with literals of its own type. They are true for every row whose value is a key, and may
 * be true for other rows. This also holds in the reader, which gets the literals as Java objects
 * and compares them by its own order.
 */
private[sparksieve] object KeyPredicates {

  /**
   * Predicates to push down, as a conjunction.
   *
   * @param predicates
   *   empty if a few predicates cannot describe the keys
   * @param ranges
   *   the number of ranges and single values in the predicates
   */
  final case class Pushed(predicates: Seq[Expression], ranges: Int)

  private val Nothing = Pushed(Nil, 0)

  /** The predicates for `keys`, which must not be empty, in the form that suits a source. */
  def apply(column: Attribute, keys: KeySet, form: Form): Pushed = {
    def exact(ranges: Int) =
      Some(predicates(column, keys, form, ranges)).filter(_.predicates.forall(isExact(_, form)))
    // Fewer ranges have fewer ends that may not reach the source unchanged.
    exact(KeyRanges.MaxRanges).orElse(exact(ranges = 1)).getOrElse(Nothing)
  }

  private def isExact(predicate: Expression, form: Form) = !predicate.exists {
    case l: Literal =>
      !ExactLiterals.survives(l) || form.comparesCharacters && !ExactLiterals.isAscii(l)
    case _ => false
  }

  private def predicates(column: Attribute, keys: KeySet, form: Form, atMost: Int): Pushed =
    (keys, KeyTypes.of(column.dataType)) match {
      case (longs: LongKeyFilter, Some(t: LongKeyType)) if isModern(longs, column.dataType) =>
        val ranges = KeyRanges(longs, column.dataType, atMost)
        anyOf(column, ranges.map(r => (t.decode(r.low), t.decode(r.high), r.isPoint)), form)
      case (bytes: BytesKeySet, Some(t: BytesKeyType)) =>
        val ranges = KeyRanges.ofBytes(bytes, atMost)
        anyOf(column, ranges.map(r => (t.decode(r.low), t.decode(r.high), r.isPoint)), form)
      case _ => Nothing
    }

  // Spark rebases old dates inside filters too; ranges of such dates are not pushed.
  private def isModern(keys: LongKeyFilter, dataType: DataType) =
    KeyRanges.modern(dataType).forall(keys.min >= _)

  /** @param ranges ascending; of each the least and the greatest value, and whether it is one */
  private def anyOf(column: Attribute, ranges: Seq[(Any, Any, Boolean)], form: Form): Pushed = {
    def literal(value: Any) = Literal(value, column.dataType)
    def within(low: Any, high: Any) = between(column, literal(low), literal(high))
    def outside(below: Any, above: Any) =
      Or(LessThanOrEqual(column, literal(below)), GreaterThanOrEqual(column, literal(above)))

    val predicates =
      if (ranges.isEmpty) Nil
      else if (form != Form.NoGap || ranges.forall(_._3))
        Seq(anyOf(ranges.map {
          case (value, _, true) => EqualTo(column, literal(value))
          case (low, high, _) => within(low, high)
        }))
      else
        within(ranges.head._1, ranges.last._2) +: ranges.zip(ranges.drop(1)).map {
          case ((_, below, _), (above, _, _)) => outside(below, above)
        }
    Pushed(predicates, ranges.size)
  }

  private def between(column: Attribute, low: Literal, high: Literal) =
    And(GreaterThanOrEqual(column, low), LessThanOrEqual(column, high))

  // Spark and Parquet traverse predicates recursively, so the tree must be shallow.
  private def anyOf(predicates: Seq[Expression]): Expression =
    if (predicates.size == 1) predicates.head
    else {
      val (left, right) = predicates.splitAt(predicates.size / 2)
      Or(anyOf(left), anyOf(right))
    }

  /**
   * How a set of ranges is expressed.
   *
   * @param comparesCharacters
   *   whether strings, or the values that statistics hold for them, are compared by the characters
   *   of Java strings and not by bytes
   */
  sealed abstract class Form(val comparesCharacters: Boolean)

  object Form {

    /** A disjunction: the value is in one of the ranges. */
    case object AnyRange extends Form(comparesCharacters = false)

    /**
     * As [[AnyRange]], for a table whose log holds statistics besides those in the files. Delta
     * writes them as JSON, in which U+FFFD replaces bytes that are not valid UTF-8.
     */
    case object AnyRangeInLog extends Form(comparesCharacters = true)

    /**
     * A conjunction: the value is between the two ends and outside each gap. Against the minimum
     * and maximum of a block this is equivalent to [[AnyRange]]. ORC converts predicates to
     * conjunctive normal form, and gives up on a disjunction of many ranges.
     */
    case object NoGap extends Form(comparesCharacters = true)
  }
}
