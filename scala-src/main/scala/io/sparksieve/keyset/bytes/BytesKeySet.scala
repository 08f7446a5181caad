// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.bytes

import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.table.{BytesConsumer, BytesTable, Footprint}

/**
 * Keys of one column that are compared byte by byte ([[BytesKeyType]]): strings, binary, and
 * decimals of more than 18 digits.
 *
 * @param least
 *   number of the least key in `table`
 * @param greatest
 *   number of the greatest key in `table`
 */
private[sparksieve] final class BytesKeySet private[keyset] (
    table: BytesTable,
    least: Int,
    greatest: Int)
    extends KeySet {

  def contains(key: UTF8String): Boolean =
    table.contains(key.getBaseObject, key.getBaseOffset, key.numBytes)

  def contains(key: Array[Byte]): Boolean =
    table.contains(key, Platform.BYTE_ARRAY_OFFSET, key.length)

  /** Whether the `length` bytes at `offset` of `base`, as Platform addresses memory, are a key. */
  def contains(base: Object, offset: Long, length: Int): Boolean =
    table.contains(base, offset, length)

  override def size: Long = table.size

  override def byteSize: Long = Footprint.shell(references = 1, ints = 2) + table.byteSize

  override def kind: String = if (isEmpty) "empty" else "bytes"

  /**
   * The least key in unsigned byte order, which is the order of every [[BytesKeyType]];
   * NoSuchElementException if there is none.
   */
  def min: Array[Byte] = extreme(least)

  /** The greatest key in unsigned byte order; NoSuchElementException if there is none. */
  def max: Array[Byte] = extreme(greatest)

  private def extreme(number: Int): Array[Byte] =
    if (isEmpty) throw new NoSuchElementException("An empty key set has no least or greatest key.")
    else table.bytes(number)

  /** Passes every key to `consumer` once, in an unspecified order. */
  def forEach(consumer: BytesConsumer): Unit = table.forEach(consumer)

  /** Copies of the keys, in an unspecified order. */
  def keys: Iterator[Array[Byte]] = Iterator.range(0, table.size).map(table.bytes)
}

private[keyset] object BytesKeySet {

  def of(table: BytesTable): BytesKeySet =
    if (table.size == 0) new BytesKeySet(table, 0, 0)
    else {
      val (least, greatest) = table.extremes
      new BytesKeySet(table, least, greatest)
    }
}
