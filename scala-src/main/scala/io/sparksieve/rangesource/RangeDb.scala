// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.math.BigInteger

/**
 * A database with one table, which has the keys 1 to `rows`, each with its square and its cube. Its
 * only query returns the records between two keys. Nothing is stored; a record is generated when
 * the iterator reaches it.
 *
 * @param rows
 *   the number of rows, from 0 to [[RangeDb.MaxRows]]
 */
private[rangesource] final case class RangeDb(rows: Int) {
  require(rows >= 0, s"$rows rows")

  /**
   * The records from `min` to `max`, both inclusive, by ascending key; without a bound, from the
   * first or to the last key. Bounds beyond the table's keys are clipped to them.
   */
  def records(min: Option[Int] = None, max: Option[Int] = None): Iterator[RangeDbRecord] =
    new RangeDbRecords(
      math.max(1L, min.fold(1L)(_.toLong)),
      math.min(rows.toLong, max.fold(rows.toLong)(_.toLong)))
}

/** The records from one key to another. Keys are longs here, because `last + 1` must fit. */
private final class RangeDbRecords(first: Long, last: Long) extends Iterator[RangeDbRecord] {

  private var key = first

  override def hasNext: Boolean = key <= last

  override def next(): RangeDbRecord = {
    if (key > last) throw new NoSuchElementException(s"after key $last")
    val record = RangeDbRecord(key.toInt)
    key += 1
    record
  }
}

private[rangesource] object RangeDb {

  /** Keys are INTs. */
  val MaxRows: Int = Int.MaxValue

  /** Up to this key, cubes fit a BIGINT. */
  val MaxLongCube: Int = 2097151
}

/** A record of [[RangeDb]]; all columns but the key are computed on access. */
private[rangesource] final case class RangeDbRecord(key: Int) {

  def squared: Long = key.toLong * key

  /** The cube, for keys up to [[RangeDb.MaxLongCube]]. */
  def cubed: Long = squared * key

  /** The cube, for any key. */
  def wideCubed: BigInteger = BigInteger.valueOf(squared).multiply(BigInteger.valueOf(key.toLong))
}
