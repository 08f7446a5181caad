// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.CompositeKeySet
import io.sparksieve.keyset.build.{KeySets, KeyTypes}

/**
 * Looks up keys with NULLs in the rows of one [[CompositeKeySet]]: tests whether some row equals the
 * key in the columns that are not NULL in the key. For each combination of such columns, a set of
 * their values is built once, at the first lookup. The rows hold it.
 */
private final class ProjectedKeySets(types: Seq[DataType]) {

  private val known = new ConcurrentHashMap[Seq[Int], UnsafeRow => Boolean]

  /** Whether some row may equal `key`, of which at least one column is NULL. */
  def contains(rows: CompositeKeySet, key: UnsafeRow): Boolean = {
    val columns = types.indices.filterNot(key.isNullAt)
    if (columns.isEmpty) !rows.isEmpty
    else known.computeIfAbsent(columns, columns => among(rows, columns))(key)
  }

  private def among(rows: CompositeKeySet, columns: Seq[Int]): UnsafeRow => Boolean = {
    val chosen = columns.map(types)
    val references = columns.map(i => BoundReference(i, types(i), nullable = true))
    // One per thread. Keys have been projected by CompositeKey, so floats are normalised already.
    val project =
      ThreadLocal.withInitial[UnsafeProjection](() => UnsafeProjection.create(references))
    val builder = KeySets.builder(chosen, Long.MaxValue, Long.MaxValue)
    rows.forEachRow(row => builder.add(project.get()(row)))
    val set = builder.result().get
    chosen match {
      case Seq(one) =>
        val keyType = KeyTypes.of(one).get
        key => keyType.contains(set, project.get()(key), 0)
      case _ =>
        val composite = set.asInstanceOf[CompositeKeySet]
        key => composite.contains(project.get()(key))
    }
  }
}

private[bulkfilter] object ProjectedKeySets {

  /**
   * The most nullable columns of a key for which joins can tell an unknown answer from false. Each
   * combination of NULL columns takes a join.
   */
  val MostNullable = 3

  /**
   * The most sets that can exist beside the set of whole rows, none of them larger than that set. 0
   * if more columns are nullable than joins support ([[MostNullable]]).
   *
   * @param nullable
   *   for each column of the key, whether it may be NULL
   */
  def sets(nullable: Seq[Boolean]): Int = {
    val some = nullable.count(identity)
    if (nullable.size == 1 || some > MostNullable) 0
    // A key that is NULL in all columns needs no set.
    else (1 << some) - 1 - (if (some == nullable.size) 1 else 0)
  }

  /** Whether some row of the columns `types` may equal `key`, in which a column is NULL. */
  def contains(rows: CompositeKeySet, types: Seq[DataType], key: UnsafeRow): Boolean =
    rows.derived(new ProjectedKeySets(types)).asInstanceOf[ProjectedKeySets].contains(rows, key)
}
