package io.sparksieve.scan

import org.apache.spark.sql.catalyst.InternalRow

import io.sparksieve.keyset.{KeySet, KeyType}

/**
 * Tests whether the files of a partition can contain a key: whether its partition value is a key.
 *
 * @param ordinal
 *   the ordinal of the partition column
 * @param keyType
 *   how values of the column are encoded as keys
 */
private[sparksieve] final class PartitionTest(ordinal: Int, keyType: KeyType, keys: KeySet) {

  def holds(values: InternalRow): Boolean =
    !keys.isEmpty && !values.isNullAt(ordinal) && keyType.contains(keys, values, ordinal)
}
