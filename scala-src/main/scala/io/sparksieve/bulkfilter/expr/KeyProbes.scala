package io.sparksieve.bulkfilter.expr

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType

import io.sparksieve.bulkfilter.load.{
  InAll,
  InAny,
  InEach,
  InOnly,
  LoadedValues,
  OneSet,
  ProjectedKeySets
}
import io.sparksieve.keyset.{CompositeKeySet, KeyType}
import io.sparksieve.keyset.encoding.CompositeKey

/**
 * Tests whether keys are in loaded values: all keys in interpreted evaluation, and keys of several
 * columns also from generated code.
 *
 * For a key of several columns with NULLs, the answer is that of SQL's IN for rows: unknown if some
 * row of the file equals the key in all columns that are not NULL in the key, otherwise false.
 */
private[expr] final class KeyProbes(types: Seq[DataType], values: LoadedValues)
    extends Serializable {

  private val keyTypes = types.map(KeyType.of(_).get)

  // Projections are not thread-safe.
  @transient private lazy val project =
    ThreadLocal.withInitial[UnsafeProjection](() => CompositeKey.projection(types))

  /** Tests a row of the key's columns: true, false, or null for unknown. */
  def apply(key: InternalRow): Any =
    if (types.size == 1) {
      if (key.isNullAt(0)) null else contains(values, key)
    } else {
      val answer = test(project.get()(key))
      if (answer < 0) null else answer > 0
    }

  private def contains(values: LoadedValues, key: InternalRow): Boolean = values match {
    case OneSet(shared, _) => keyTypes.head.contains(shared.value, key, 0)
    case InAll(parts) => parts.forall(contains(_, key))
    case InAny(parts) => parts.exists(contains(_, key))
    case InOnly(from, without) => contains(from, key) && !contains(without, key)
    case _: InEach => throw InEach.noSet
  }

  /** Tests a key from a [[CompositeKey]] projection: 1 is true, 0 is false, -1 is unknown. */
  def test(key: UnsafeRow): Byte =
    if (!key.anyNull) if (containsRow(values, key)) 1 else 0
    else
      values match {
        case OneSet(shared, _) =>
          val rows = shared.value.asInstanceOf[CompositeKeySet]
          if (ProjectedKeySets.contains(rows, types, key)) -1 else 0
        // Leaves with several key columns are merged only if no column is nullable.
        case _ => throw new IllegalStateException("Keys with NULLs were merged.")
      }

  private def containsRow(values: LoadedValues, key: UnsafeRow): Boolean = values match {
    case OneSet(shared, _) => shared.value.asInstanceOf[CompositeKeySet].contains(key)
    case InAll(parts) => parts.forall(containsRow(_, key))
    case InAny(parts) => parts.exists(containsRow(_, key))
    case InOnly(from, without) => containsRow(from, key) && !containsRow(without, key)
    case _: InEach => throw InEach.noSet
  }
}
