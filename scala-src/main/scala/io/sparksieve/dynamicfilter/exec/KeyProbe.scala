// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  BindReferences,
  Expression,
  GenericInternalRow
}

import io.sparksieve.keyset.{KeyType, SharedKeys}

/** Filters rows by a set of keys in interpreted evaluation. */
private[dynamicfilter] final class KeyProbe(
    key: Expression,
    input: Seq[Attribute],
    keyType: KeyType,
    keys: SharedKeys,
    watches: SelectivityMonitor.Starter)
    extends Serializable {

  private val bound = BindReferences.bindReference(key, input)

  /** The rows of one partition that pass. */
  def filter(rows: Iterator[InternalRow]): Iterator[InternalRow] = {
    val set = keys.value
    val watch = watches.start()
    val held = new GenericInternalRow(1)
    rows.filter { row =>
      !watch.tests() || {
        val value = bound.eval(row)
        held.update(0, value)
        val passes = value != null && keyType.contains(set, held, 0)
        if (passes) watch.kept() else watch.dropped()
        passes
      }
    }
  }
}
