// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

/**
 * What is known of a column's values in a file or a row group.
 *
 * @param low
 *   the code of a value that is no greater than the minimum; null if nothing is known of the values
 * @param high
 *   the code of a value that is no less than the maximum
 * @param hasNulls
 *   false only if there is no NULL
 * @param hasValues
 *   false only if all are NULL
 */
private[advice] final case class ColumnRange(
    low: AnyRef,
    high: AnyRef,
    hasNulls: Boolean,
    hasValues: Boolean) {

  def isKnown: Boolean = low != null

  /** The range of both. */
  def union(other: ColumnRange): ColumnRange = {
    val nulls = hasNulls || other.hasNulls
    if (!hasValues) other.copy(hasNulls = nulls)
    else if (!other.hasValues) copy(hasNulls = nulls)
    else if (!isKnown || !other.isKnown) ColumnRange.Unknown.copy(hasNulls = nulls)
    else
      ColumnRange(
        if (Coding.compare(low, other.low) <= 0) low else other.low,
        if (Coding.compare(high, other.high) >= 0) high else other.high,
        nulls,
        hasValues = true)
  }
}

private[advice] object ColumnRange {

  val Unknown: ColumnRange = ColumnRange(null, null, hasNulls = true, hasValues = true)

  val OnlyNulls: ColumnRange = ColumnRange(null, null, hasNulls = true, hasValues = false)

  def of(value: AnyRef): ColumnRange =
    if (value == null) OnlyNulls else ColumnRange(value, value, hasNulls = false, hasValues = true)
}

/**
 * A predicate as a source tests it against the ranges of columns: whether a row for which the
 * predicate is true may be there. Columns are positions in the array of ranges.
 */
private[advice] trait Condition {

  def mayHold(ranges: Array[ColumnRange]): Boolean

  /** The columns by whose ranges data may be skipped. */
  def columns: Set[Int]
}

private[advice] object Condition {

  /** A predicate by which the source skips nothing. */
  case object Anything extends Condition {
    override def mayHold(ranges: Array[ColumnRange]): Boolean = true
    override def columns: Set[Int] = Set.empty
  }

  case object Nothing extends Condition {
    override def mayHold(ranges: Array[ColumnRange]): Boolean = false
    override def columns: Set[Int] = Set.empty
  }

  final case class All(parts: Seq[Condition]) extends Condition {
    override def mayHold(ranges: Array[ColumnRange]): Boolean = parts.forall(_.mayHold(ranges))
    override def columns: Set[Int] = parts.flatMap(_.columns).toSet
  }

  final case class Any(parts: Seq[Condition]) extends Condition {
    override def mayHold(ranges: Array[ColumnRange]): Boolean = parts.exists(_.mayHold(ranges))

    // A part that may always hold makes the others useless.
    override def columns: Set[Int] =
      if (parts.exists(isAnything)) Set.empty else parts.flatMap(_.columns).toSet

    private def isAnything(part: Condition) = part.columns.isEmpty && part != Nothing
  }

  def all(parts: Seq[Condition]): Condition = parts match {
    case Seq(one) => one
    case _ => All(parts)
  }

  /** A test of the values of one column. */
  sealed abstract class OfValues extends Condition {
    def column: Int
    override final def columns: Set[Int] = Set(column)
    override final def mayHold(ranges: Array[ColumnRange]): Boolean = {
      val range = ranges(column)
      range.hasValues && (!range.isKnown || within(range.low, range.high))
    }
    protected def within(low: AnyRef, high: AnyRef): Boolean
  }

  /** The value is between the bounds, each of which may be null for none. */
  final case class Between(column: Int, from: AnyRef, open: Boolean, to: AnyRef, openTo: Boolean)
      extends OfValues {
    override protected def within(low: AnyRef, high: AnyRef): Boolean = {
      def above = from == null || {
        val c = Coding.compare(high, from)
        c > 0 || c == 0 && !open
      }
      def below = to == null || {
        val c = Coding.compare(low, to)
        c < 0 || c == 0 && !openTo
      }
      above && below
    }
  }

  /** The value is in one of the ranges, which are disjoint and ascending. */
  final class InRanges(override val column: Int, lows: Array[AnyRef], highs: Array[AnyRef])
      extends OfValues {
    override protected def within(low: AnyRef, high: AnyRef): Boolean = {
      // The first range that ends at or above `low`.
      var from = 0
      var until = highs.length
      while (from < until) {
        val middle = (from + until) >>> 1
        if (Coding.compare(highs(middle), low) < 0) from = middle + 1 else until = middle
      }
      from < lows.length && Coding.compare(lows(from), high) <= 0
    }
  }

  final case class StartsWith(column: Int, prefix: TextCode) extends OfValues {
    override protected def within(low: AnyRef, high: AnyRef): Boolean =
      start(high).compareTo(prefix) >= 0 && start(low).compareTo(prefix) <= 0

    private def start(value: AnyRef) = value.asInstanceOf[TextCode].start(prefix.bytes.length)
  }

  /** The value is another one; sources let NULL pass. */
  final case class IsNot(column: Int, value: AnyRef) extends Condition {
    override def columns: Set[Int] = Set(column)
    override def mayHold(ranges: Array[ColumnRange]): Boolean = {
      val range = ranges(column)
      range.hasNulls || !range.isKnown || Coding.compare(range.low, value) != 0 ||
      Coding.compare(range.high, value) != 0
    }
  }

  final case class IsNull(column: Int) extends Condition {
    override def columns: Set[Int] = Set(column)
    override def mayHold(ranges: Array[ColumnRange]): Boolean = ranges(column).hasNulls
  }

  final case class IsNotNull(column: Int) extends Condition {
    // Spark infers it from other predicates, and few columns have enough NULLs to skip.
    override def columns: Set[Int] = Set.empty
    override def mayHold(ranges: Array[ColumnRange]): Boolean = ranges(column).hasValues
  }
}
