// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import io.sparksieve.keyset.encoding.CompositeKey
import io.sparksieve.keyset.table.{BytesConsumer, BytesTable, Footprint}

/**
 * Keys of several columns. A key is held as the bytes of a row that [[CompositeKey]] has projected,
 * without the null bit set, because a key has no NULL.
 *
 * @param fields
 *   number of columns
 */
private[sparksieve] final class CompositeKeySet private[keyset] (fields: Int, table: BytesTable)
    extends KeySet {

  @transient @volatile private var made: AnyRef = _

  /** What the first caller makes of the keys, for later ones; it lives as long as the set. */
  def derived(make: => AnyRef): AnyRef = {
    if (made == null) synchronized { if (made == null) made = make }
    made
  }

  /**
   * Whether `row` is a key; never if one of its fields is NULL.
   *
   * @param row
   *   the output of a [[CompositeKey]] projection for the set's types; rows from other projections
   *   may have different bytes for equal values
   */
  def contains(row: UnsafeRow): Boolean = !row.anyNull && {
    val skipped = CompositeKey.bytesForNulls(fields)
    table.contains(row.getBaseObject, row.getBaseOffset + skipped, row.getSizeInBytes - skipped)
  }

  /** Number of columns of a key. */
  def numFields: Int = fields

  override def size: Long = table.size

  override def byteSize: Long = Footprint.shell(references = 1, ints = 1) + table.byteSize

  override def kind: String = if (isEmpty) "empty" else "composite"

  /** Passes every key to `use` once, as a row object that the next key overwrites. */
  def forEachRow(use: UnsafeRow => Unit): Unit = {
    val skipped = CompositeKey.bytesForNulls(fields)
    val row = new UnsafeRow(fields)
    var bytes = Array.emptyByteArray
    table.forEach((base: Object, offset: Long, length: Int) => {
      // The null bit set comes first; all its bits are 0.
      if (bytes.length < skipped + length) bytes = new Array[Byte](2 * (skipped + length))
      Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + skipped, length)
      row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, skipped + length)
      use(row)
    })
  }

  /** Whether the bytes are a key. They must have the form in which the set holds its keys. */
  private[keyset] def holds(base: Object, offset: Long, length: Int): Boolean =
    table.contains(base, offset, length)

  /** Passes the bytes of every key to `consumer` once, as the set holds them. */
  private[keyset] def forEach(consumer: BytesConsumer): Unit = table.forEach(consumer)
}
