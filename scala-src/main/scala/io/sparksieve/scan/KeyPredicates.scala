package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.ExactLiterals
import io.sparksieve.keyset.{
  BytesKeySet,
  BytesKeyType,
  KeyRange,
  KeySet,
  KeyType,
  LongKeySet,
  LongKeyType
}

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
    val made = predicates(column, keys, form)
    if (made.predicates.forall(isExact(_, form))) made else Nothing
  }

  private def isExact(predicate: Expression, form: Form) = !predicate.exists {
    case l: Literal =>
      !ExactLiterals.survives(l) || form.comparesCharacters && !ExactLiterals.isAscii(l)
    case _ => false
  }

  private def predicates(column: Attribute, keys: KeySet, form: Form): Pushed = keys match {
    case longs: LongKeySet if isModern(longs, column.dataType) =>
      val decode = KeyType.of(column.dataType).collect { case t: LongKeyType => t.decode _ }
      decode.fold(Nothing)(d => ofLongs(column, KeyRanges(longs, column.dataType), d, form))
    case bytes: BytesKeySet =>
      val decode = KeyType.of(column.dataType).collect { case t: BytesKeyType => t.decode _ }
      decode.fold(Nothing)(ofBytes(column, bytes, _))
    case _ => Nothing
  }

  // Spark rebases old dates inside filters too; ranges of such dates are not pushed.
  private def isModern(keys: LongKeySet, dataType: DataType) =
    KeyRanges.modern(dataType).forall(keys.min >= _)

  private def ofLongs(
      column: Attribute,
      ranges: Seq[KeyRange],
      decode: Long => Any,
      form: Form): Pushed = {
    def literal(key: Long) = Literal(decode(key), column.dataType)
    def within(range: KeyRange) =
      if (range.isPoint) EqualTo(column, literal(range.low))
      else between(column, literal(range.low), literal(range.high))
    def outside(below: KeyRange, above: KeyRange) =
      Or(
        LessThanOrEqual(column, literal(below.high)),
        GreaterThanOrEqual(column, literal(above.low)))

    val predicates =
      if (ranges.isEmpty) Nil
      else if (form != Form.NoGap || ranges.forall(_.isPoint)) Seq(anyOf(ranges.map(within)))
      else {
        val ends = KeyRange(ranges.head.low, ranges.last.high)
        within(ends) +: ranges.zip(ranges.drop(1)).map { case (a, b) => outside(a, b) }
      }
    Pushed(predicates, ranges.size)
  }

  private def ofBytes(column: Attribute, keys: BytesKeySet, decode: Array[Byte] => Any): Pushed = {
    def literal(key: Array[Byte]) = Literal(decode(key), column.dataType)
    if (keys.size <= KeyRanges.MaxPoints)
      Pushed(Seq(anyOf(keys.keys.toVector.map(k => EqualTo(column, literal(k))))), keys.size.toInt)
    else Pushed(Seq(between(column, literal(keys.min), literal(keys.max))), 1)
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
