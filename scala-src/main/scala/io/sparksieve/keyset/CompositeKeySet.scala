package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

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

  /** Gives the bytes of every key once, as they are held. */
  private[keyset] def forEach(consumer: BytesConsumer): Unit = table.forEach(consumer)
}
