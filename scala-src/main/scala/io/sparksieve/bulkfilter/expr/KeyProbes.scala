// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.expr

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType

import io.sparksieve.bulkfilter.load.{OneSet, ProjectedKeySets, ValueSet}
import io.sparksieve.keyset.CompositeKeySet
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.encoding.CompositeKey

/**
 * Tests whether keys are in loaded values: all keys in interpreted evaluation, and keys of several
 * columns also from generated code.
 *
 * For a key of several columns with NULLs, the answer is that of SQL's IN for rows: unknown if some
 * row of the file equals the key in all columns that are not NULL in the key, otherwise false.
 */
private[expr] final class KeyProbes(types: Seq[DataType], values: ValueSet[OneSet])
    extends Serializable {

  private val keyTypes = types.map(KeyTypes.of(_).get)

  // Projections are not thread-safe.
  @transient private lazy val project =
    ThreadLocal.withInitial[UnsafeProjection](() => CompositeKey.projection(types))

  /** Tests a row of the key's columns: true, false, or null for unknown. */
  def apply(key: InternalRow): Any =
    if (types.size == 1) {
      if (key.isNullAt(0)) null
      else values.contains(one => keyTypes.head.contains(one.shared.value, key, 0))
    } else {
      val answer = test(project.get()(key))
      if (answer < 0) null else answer > 0
    }

  /** Tests a key from a [[CompositeKey]] projection: 1 is true, 0 is false, -1 is unknown. */
  def test(key: UnsafeRow): Byte =
    if (!key.anyNull) if (values.contains(rows(_).contains(key))) 1 else 0
    else
      values match {
        case one: OneSet => if (ProjectedKeySets.contains(rows(one), types, key)) -1 else 0
        // Leaves with several key columns are merged only if no column is nullable.
        case _ => throw new IllegalStateException("Keys with NULLs were merged.")
      }

  private def rows(one: OneSet): CompositeKeySet = one.shared.value.asInstanceOf[CompositeKeySet]
}
