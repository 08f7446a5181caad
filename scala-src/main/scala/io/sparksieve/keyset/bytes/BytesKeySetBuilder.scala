// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.bytes

import org.apache.spark.sql.catalyst.InternalRow

import io.sparksieve.keyset.{KeySet, KeySetBuilder}
import io.sparksieve.keyset.table.BytesTableBuilder

/** Builds a [[BytesKeySet]]. */
private[keyset] final class BytesKeySetBuilder(keyType: BytesKeyType, maxKeys: Long, maxBytes: Long)
    extends KeySetBuilder {

  private val table = new BytesTableBuilder(maxKeys, maxBytes)

  override def add(row: InternalRow): Unit =
    if (!table.gaveUp && !row.isNullAt(0)) keyType.encode(row, 0, table)

  override def merge(other: KeySet): Unit = other match {
    case bytes: BytesKeySet => bytes.forEach(table)
    case _ => throw new IllegalArgumentException(s"Bytes cannot take keys held as ${other.kind}.")
  }

  override def mergeGivenUp(others: Option[(Long, Long)]): Unit = table.giveUp()

  override def size: Long = table.size

  override def gaveUp: Boolean = table.gaveUp

  override def bounds: Option[(Long, Long)] = None

  override def result(): Option[KeySet] = table.result().map(BytesKeySet.of)
}
