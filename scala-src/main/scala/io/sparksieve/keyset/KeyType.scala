// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types.DataType

/**
 * Encodes values of a Spark type as keys of one column: as longs ([[longs.LongKeyType]]) or as bytes
 * ([[bytes.BytesKeyType]]). Values must not be NULL; callers test for NULL first.
 */
private[sparksieve] abstract class KeyType extends Serializable {

  def dataType: DataType

  /**
   * Whether the value at `ordinal` is in `keys`, a set that was built for this type.
   *
   * @throws ClassCastException
   *   if `keys` holds longs where this type needs bytes, or the other way round
   */
  def contains(keys: KeySet, row: SpecializedGetters, ordinal: Int): Boolean

  /**
   * A Java expression of type boolean that tests whether a set contains a value.
   *
   * @param keys
   *   a Java expression for the set, preferably typed as its concrete class; evaluated once
   * @param value
   *   a Java expression for the value, in the form that Spark's generated code uses; evaluated once
   */
  def containsCode(keys: String, value: String): String
}
