// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.build

import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.{CompositeKeySet, KeySet}
import io.sparksieve.keyset.bytes.BytesKeySet
import io.sparksieve.keyset.longs.LongKeySet
import io.sparksieve.keyset.table.BytesTableBuilder

/**
 * Set operations on key sets of the same types. Building a result takes at most `maxBytes`, counted
 * as in [[KeySets.builder]]; the result is None if that is not enough.
 */
private[sparksieve] object KeySetAlgebra {

  /** The keys that are in at least one set. */
  def union(sets: Seq[KeySet], types: Seq[DataType], maxBytes: Long): Option[KeySet] = {
    val builder = KeySets.builder(types, Long.MaxValue, maxBytes)
    // The largest set first, so that fewer keys are added to a table that still grows.
    sets.sortBy(-_.size).foreach(set => if (!builder.gaveUp) builder.merge(set))
    builder.result()
  }

  /** The keys that are in every set. */
  def intersection(sets: Seq[KeySet], types: Seq[DataType], maxBytes: Long): Option[KeySet] = {
    val ascending = sets.sortBy(_.size)
    filtered(ascending.head, ascending.tail, isIn = true, types, maxBytes)
  }

  /** The keys of `from` that are in no set of `without`. */
  def difference(
      from: KeySet,
      without: Seq[KeySet],
      types: Seq[DataType],
      maxBytes: Long): Option[KeySet] = filtered(from, without, isIn = false, types, maxBytes)

  private def filtered(
      from: KeySet,
      others: Seq[KeySet],
      isIn: Boolean,
      types: Seq[DataType],
      maxBytes: Long): Option[KeySet] = from match {
    case longs: LongKeySet =>
      val rest = others.map(_.asInstanceOf[LongKeySet]).toArray
      val builder = KeySets.builder(types, Long.MaxValue, maxBytes)
      longs.forEach { key =>
        if (rest.forall(_.contains(key) == isIn)) builder.addLong(key)
      }
      builder.result()
    case bytes: BytesKeySet =>
      val rest = others.map(_.asInstanceOf[BytesKeySet])
      val table = new BytesTableBuilder(Long.MaxValue, maxBytes)
      bytes.forEach { (base: Object, offset: Long, length: Int) =>
        if (rest.forall(_.contains(base, offset, length) == isIn)) {
          table.accept(base, offset, length)
        }
      }
      table.result().map(BytesKeySet.of)
    case rows: CompositeKeySet =>
      val rest = others.map(_.asInstanceOf[CompositeKeySet])
      val table = new BytesTableBuilder(Long.MaxValue, maxBytes)
      rows.forEach { (base: Object, offset: Long, length: Int) =>
        if (rest.forall(_.holds(base, offset, length) == isIn)) table.accept(base, offset, length)
      }
      table.result().map(new CompositeKeySet(rows.numFields, _))
    case other => throw new IllegalArgumentException(s"No algebra of keys held as ${other.kind}.")
  }
}
