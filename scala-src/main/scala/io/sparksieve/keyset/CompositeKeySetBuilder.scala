// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.encoding.CompositeKey
import io.sparksieve.keyset.table.BytesTableBuilder

/** Builds a [[CompositeKeySet]]. Callers pass rows that are not yet projected. */
private[keyset] final class CompositeKeySetBuilder(
    dataTypes: Seq[DataType],
    maxKeys: Long,
    maxBytes: Long)
    extends KeySetBuilder {

  private val table = new BytesTableBuilder(maxKeys, maxBytes)
  private val projection = CompositeKey.projection(dataTypes)
  private val skipped = CompositeKey.bytesForNulls(dataTypes.length)

  override def add(row: InternalRow): Unit =
    if (!table.gaveUp) {
      val key = projection(row)
      if (!key.anyNull) {
        table.accept(key.getBaseObject, key.getBaseOffset + skipped, key.getSizeInBytes - skipped)
      }
    }

  override def merge(other: KeySet): Unit = other match {
    case rows: CompositeKeySet if rows.numFields == dataTypes.length => rows.forEach(table)
    case _ =>
      throw new IllegalArgumentException(
        s"Keys of ${dataTypes.length} columns cannot take keys held as ${other.kind}.")
  }

  override def mergeGivenUp(others: Option[(Long, Long)]): Unit = table.giveUp()

  override def size: Long = table.size

  override def gaveUp: Boolean = table.gaveUp

  override def bounds: Option[(Long, Long)] = None

  override def result(): Option[KeySet] =
    table.result().map(new CompositeKeySet(dataTypes.length, _))
}
