package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset._

/**
 * Asks values without generated code, and keys of several columns with it.
 *
 * The answer for such a key with NULLs is that of SQL's IN for rows: unknown if a row of the file
 * equals it in all columns that are not NULL, and false if none does.
 */
final class KeyProbes(types: Seq[DataType], asked: Membership) extends Serializable {

  private val keyTypes = types.map(KeyType.of(_).get)

  // A projection is for one thread.
  @transient private lazy val project =
    ThreadLocal.withInitial[UnsafeProjection](() => CompositeKey.projection(types))

  /** True, false or null, for a row of the key's columns. */
  def apply(key: InternalRow): Any =
    if (types.size == 1) {
      if (key.isNullAt(0)) null else contains(asked, key)
    } else {
      val answer = test(project.get()(key))
      if (answer < 0) null else answer > 0
    }

  private def contains(asked: Membership, key: InternalRow): Boolean = asked match {
    case OneSet(shared, _) => keyTypes.head.contains(shared.value, key, 0)
    case InAll(parts) => parts.forall(contains(_, key))
    case InAny(parts) => parts.exists(contains(_, key))
    case InOnly(from, without) => contains(from, key) && !contains(without, key)
    case _: InEach => throw InEach.noSet
  }

  /** 1, 0 or -1 for true, false or unknown, for what a [[CompositeKey]] projection gave. */
  def test(key: UnsafeRow): Byte =
    if (!key.anyNull) if (containsRow(asked, key)) 1 else 0
    else
      asked match {
        case OneSet(shared, _) =>
          val rows = shared.value.asInstanceOf[CompositeKeySet]
          if (PartialKeys.of(rows, types).contains(key)) -1 else 0
        // Leaves whose key may have NULLs in some columns are not merged.
        case _ => throw new IllegalStateException("Keys with NULLs were merged.")
      }

  private def containsRow(asked: Membership, key: UnsafeRow): Boolean = asked match {
    case OneSet(shared, _) => shared.value.asInstanceOf[CompositeKeySet].contains(key)
    case InAll(parts) => parts.forall(containsRow(_, key))
    case InAny(parts) => parts.exists(containsRow(_, key))
    case InOnly(from, without) => containsRow(from, key) && !containsRow(without, key)
    case _: InEach => throw InEach.noSet
  }
}
