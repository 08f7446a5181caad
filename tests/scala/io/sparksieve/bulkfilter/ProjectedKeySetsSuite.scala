// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.lang.ref.WeakReference

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.{DataType, IntegerType}

import io.sparksieve.Freed
import io.sparksieve.bulkfilter.load.ProjectedKeySets
import io.sparksieve.keyset.CompositeKeySet
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.encoding.CompositeKey

/** Lookups of keys with NULLs, and the lifetime of the sets for them. */
class ProjectedKeySetsSuite extends AnyFunSuite {

  private val types: Seq[DataType] = Seq.fill(3)(IntegerType)
  private val project = CompositeKey.projection(types)

  private def key(values: Any*): UnsafeRow = project(InternalRow(values: _*)).copy()

  private def set(): CompositeKeySet = {
    val builder = KeySets.builder(types, Long.MaxValue, Long.MaxValue)
    Seq(key(1, 2, 3), key(4, 5, 6)).foreach(builder.add)
    builder.result().get.asInstanceOf[CompositeKeySet]
  }

  test("a key matches a row by the columns that it has") {
    val rows = set()
    def found(values: Any*) = ProjectedKeySets.contains(rows, types, key(values: _*))
    assert(found(1, 2, null) && found(null, 5, null) && found(null, null, null))
    assert(!found(1, 5, null) && !found(null, null, 7))
  }

  test("sets for keys with NULLs are let go with the rows") {
    var rows = set()
    assert(ProjectedKeySets.contains(rows, types, key(1, 2, null)))
    assert(ProjectedKeySets.contains(rows, types, key(null, 2, null)))
    val held = new WeakReference(rows)
    rows = null
    assert(Freed(held))
  }
}
