package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

/**
 * Keys of several columns: the bytes of rows that [[CompositeKey]] has projected, without the
 * bits for NULLs, of which a key has none.
 *
 * @param fields
 *   number of columns
 */
final class CompositeKeySet private[keyset] (fields: Int, table: BytesTable) extends KeySet {

  /**
   * Whether `row` is a key; never if one of its fields is NULL.
   *
   * @param row
   *   what a [[CompositeKey]] projection of the set's types gave; rows of other making may have
   *   other bytes for equal values
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

  /** Gives every key once, as a row that is overwritten by the next. */
  def forEachRow(use: UnsafeRow => Unit): Unit = {
    val skipped = CompositeKey.bytesForNulls(fields)
    val row = new UnsafeRow(fields)
    var bytes = Array.emptyByteArray
    table.forEach((base: Object, offset: Long, length: Int) => {
      // The bits for NULLs, none of which is set, lie in front.
      if (bytes.length < skipped + length) bytes = new Array[Byte](2 * (skipped + length))
      Platform.copyMemory(base, offset, bytes, Platform.BYTE_ARRAY_OFFSET + skipped, length)
      row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, skipped + length)
      use(row)
    })
  }

  /** Whether bytes as they are held are a key. */
  private[keyset] def holds(base: Object, offset: Long, length: Int): Boolean =
    table.contains(base, offset, length)

  /** Gives the bytes of every key once, as they are held. */
  private[keyset] def forEach(consumer: BytesConsumer): Unit = table.forEach(consumer)
}
