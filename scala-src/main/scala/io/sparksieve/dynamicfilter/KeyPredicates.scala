package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.ExactLiterals
import io.sparksieve.keyset._

/**
 * Keys as predicates that Spark translates to filters of a source: comparisons of the bare column
 * with literals of its own type. They hold for every row whose value is a key, and for others: for
 * the reader too, which gets the literals as Java's objects and compares by its own order.
 */
private[dynamicfilter] object KeyPredicates {

  /**
   * Predicates all of which hold.
   *
   * @param predicates
   *   empty if nothing can be said of the keys in a few predicates
   * @param ranges
   *   number of ranges and single values they were made of
   */
  final case class Pushed(predicates: Seq[Expression], ranges: Int)

  private val Nothing = Pushed(Nil, 0)

  /** The predicates in the form that suits a source. `keys` are not empty. */
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

  // Spark moves dates of old calendars within the filter too; ranges of them are not put to that.
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

  // Spark and Parquet walk predicates by recursion, so the tree must be shallow.
  private def anyOf(predicates: Seq[Expression]): Expression =
    if (predicates.size == 1) predicates.head
    else {
      val (left, right) = predicates.splitAt(predicates.size / 2)
      Or(anyOf(left), anyOf(right))
    }

  /**
   * How a set of ranges is said.
   *
   * @param comparesCharacters
   *   whether strings, or what stands for them in statistics, are compared by the characters of
   *   Java's strings and not by their bytes
   */
  sealed abstract class Form(val comparesCharacters: Boolean)

  object Form {

    /** In this range or in that one. */
    case object AnyRange extends Form(comparesCharacters = false)

    /**
     * The same, where the table's log has statistics besides the files' own: Delta writes them as
     * JSON, which holds U+FFFD for what is no valid UTF-8.
     */
    case object AnyRangeInLog extends Form(comparesCharacters = true)

    /**
     * Within the ends and outside of each gap: the same for a block's least and greatest value.
     * ORC brings predicates to conjunctive normal form, and gives up on many ranges.
     */
    case object NoGap extends Form(comparesCharacters = true)
  }
}
