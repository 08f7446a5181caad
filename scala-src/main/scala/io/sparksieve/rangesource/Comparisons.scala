// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.math.{BigDecimal, BigInteger, RoundingMode}

import org.apache.spark.sql.types.Decimal

import io.sparksieve.keyset.KeyRange

import Condition.{Never, Within}

/**
 * Translates comparisons of a column with values, as Spark sends them, for a table of `rows` rows.
 * Columns are never NULL. The result is [[TruthConditions.Opaque]] for values that are not exact numbers.
 */
private[rangesource] final class Comparisons(rows: Int) {

  private val all = KeyRange(1, rows.toLong)

  def equalTo(column: RangeColumn, value: Any): TruthConditions =
    compared(column, value)(number => equal(column, number))

  /** `<=>`: false if `value` is NULL, because the column is never NULL. */
  def equalNullSafe(column: RangeColumn, value: Any): TruthConditions =
    if (value == null) TruthConditions.False else equalTo(column, value)

  def lessThan(column: RangeColumn, value: Any): TruthConditions =
    compared(column, value)(number => RangeSet(1, below(column, number)))

  def atMost(column: RangeColumn, value: Any): TruthConditions =
    compared(column, value)(number => RangeSet(1, upTo(column, number)))

  /** IN: true for the values of the list; false for others only if the list has no NULL. */
  def in(column: RangeColumn, values: Seq[Any]): TruthConditions = {
    val numbers = values.filter(_ != null).map(number)
    if (numbers.exists(_.isEmpty)) TruthConditions.Opaque
    else {
      val listed = within(column, RangeSet.of(numbers.flatten.flatMap(equal(column, _).ranges)))
      if (values.contains(null)) listed.copy(whenFalse = Never) else listed
    }
  }

  private def compared(column: RangeColumn, value: Any)(
      passing: BigDecimal => RangeSet): TruthConditions =
    if (value == null) TruthConditions.Null
    else number(value).fold(TruthConditions.Opaque)(n => within(column, passing(n)))

  private def within(column: RangeColumn, passing: RangeSet): TruthConditions =
    TruthConditions(Within(column, passing), Within(column, passing.complementIn(all)))

  private def equal(column: RangeColumn, number: BigDecimal): RangeSet =
    RangeSet(below(column, number) + 1L, upTo(column, number).toLong)

  /** The last key whose value is at most `number`; 0 if there is none. */
  private def upTo(column: RangeColumn, number: BigDecimal): Int =
    column.keysUpTo(whole(number, RoundingMode.FLOOR), rows)

  /** The last key whose value is less than `number`; 0 if there is none. */
  private def below(column: RangeColumn, number: BigDecimal): Int =
    column.keysUpTo(whole(number, RoundingMode.CEILING).subtract(BigInteger.ONE), rows)

  private def whole(number: BigDecimal, mode: RoundingMode) =
    number.setScale(0, mode).toBigIntegerExact

  private def number(value: Any): Option[BigDecimal] = value match {
    case n @ (_: Byte | _: Short | _: Int | _: Long) =>
      Some(BigDecimal.valueOf(n.asInstanceOf[Number].longValue))
    case d: Decimal => Some(d.toJavaBigDecimal)
    case d: BigDecimal => Some(d)
    case d: scala.math.BigDecimal => Some(d.bigDecimal)
    case i: BigInteger => Some(new BigDecimal(i))
    case _ => None
  }
}
