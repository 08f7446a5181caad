package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.InternalRow

import io.sparksieve.keyset.{KeySet, KeyType}

/**
 * Whether the files of a partition can hold a key: whether its value is one.
 *
 * @param ordinal
 *   of the partition column
 * @param keyType
 *   how values of the column become keys
 */
private[dynamicfilter] final class PartitionTest(ordinal: Int, keyType: KeyType, keys: KeySet) {

  def holds(values: InternalRow): Boolean =
    !keys.isEmpty && !values.isNullAt(ordinal) && keyType.contains(keys, values, ordinal)
}
