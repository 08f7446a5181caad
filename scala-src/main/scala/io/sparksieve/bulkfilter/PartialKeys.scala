package io.sparksieve.bulkfilter

import java.util.{Collections, WeakHashMap}
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset._

/**
 * Rows of values, asked for keys that have NULLs: whether a row equals a key in those columns that
 * are not NULL in the key. For each set of such columns that is asked for, their values are put
 * into a set once.
 */
private[bulkfilter] final class PartialKeys(rows: CompositeKeySet, types: Seq[DataType]) {

  private val known = new ConcurrentHashMap[Seq[Int], UnsafeRow => Boolean]

  /** Whether some row may be `key`, of which a column is NULL. */
  def contains(key: UnsafeRow): Boolean = {
    val columns = types.indices.filterNot(key.isNullAt)
    if (columns.isEmpty) !rows.isEmpty
    else known.computeIfAbsent(columns, columns => among(columns))(key)
  }

  private def among(columns: Seq[Int]): UnsafeRow => Boolean = {
    val chosen = columns.map(types)
    val references = columns.map(i => BoundReference(i, types(i), nullable = true))
    // For one thread each; keys are projected already, so that floats are normal.
    val project =
      ThreadLocal.withInitial[UnsafeProjection](() => UnsafeProjection.create(references))
    val builder = KeySetBuilder(chosen, Long.MaxValue, Long.MaxValue)
    rows.forEachRow(row => builder.add(project.get()(row)))
    val set = builder.result().get
    chosen match {
      case Seq(one) =>
        val keyType = KeyType.of(one).get
        key => keyType.contains(set, project.get()(key), 0)
      case _ =>
        val composite = set.asInstanceOf[CompositeKeySet]
        key => composite.contains(project.get()(key))
    }
  }
}

private[bulkfilter] object PartialKeys {

  /**
   * How many sets there may be at most beside the set of whole rows, each no larger than that. Those
   * of more columns than could be joined instead are not counted.
   *
   * @param nullable
   *   for each column of the key, whether it may be NULL
   */
  def sets(nullable: Seq[Boolean]): Int = {
    val some = nullable.count(identity)
    if (nullable.size == 1 || some > LargeValues.MostNullable) 0
    // None where all columns are NULL.
    else (1 << some) - 1 - (if (some == nullable.size) 1 else 0)
  }

  // As long as the rows are held, on whatever thread.
  private val all = Collections.synchronizedMap(new WeakHashMap[CompositeKeySet, PartialKeys])

  def of(rows: CompositeKeySet, types: Seq[DataType]): PartialKeys = {
    val known = all.get(rows)
    if (known != null) known
    else {
      val made = new PartialKeys(rows, types)
      val first = all.putIfAbsent(rows, made)
      if (first == null) made else first
    }
  }
}
