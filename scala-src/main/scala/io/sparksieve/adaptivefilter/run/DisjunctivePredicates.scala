// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.run

import org.apache.spark.sql.vectorized.ColumnarBatch

/**
 * Predicates some of which evaluate their parts in an order of their own: such a predicate removes
 * the rows that pass all of [[Conjunct.exclusions]].
 *
 * @param single
 *   the predicates; for a predicate with parts, only its NULL checks
 * @param checksNull
 *   for each predicate, whether it has NULL checks
 * @param parts
 *   for each predicate with parts, by its position, a run that finds the rows to remove
 */
private[adaptivefilter] final class DisjunctivePredicates(
    single: BatchPredicates,
    checksNull: Array[Boolean],
    parts: Map[Int, BatchRun])
    extends BatchPredicates {

  private val runs = Array.tabulate(checksNull.length)(parts.get(_).orNull)
  private var excluded = new Array[Int](4096)

  override def initialize(partition: Int): Unit = single.initialize(partition)

  override def open(batch: ColumnarBatch): Unit = single.open(batch)

  override def select(k: Int, rows: Array[Int], count: Int, all: Boolean): Int = {
    val run = runs(k)
    if (run == null || checksNull(k)) {
      val left = single.select(k, rows, count, all)
      if (run == null) left else without(rows, left, run)
    } else {
      if (all) BatchRun.fill(rows, count)
      without(rows, count, run)
    }
  }

  private def without(rows: Array[Int], count: Int, run: BatchRun): Int = {
    if (excluded.length < count) excluded = new Array[Int](count)
    System.arraycopy(rows, 0, excluded, 0, count)
    val left = run.narrow(excluded, count)
    var kept = 0
    var next = 0
    var i = 0
    // Both arrays ascend.
    while (i < count) {
      if (next < left && excluded(next) == rows(i)) next += 1
      else {
        rows(kept) = rows(i)
        kept += 1
      }
      i += 1
    }
    kept
  }
}

/** A view of `predicates` that begins with predicate `first`. */
private[adaptivefilter] final class ShiftedPredicates(predicates: BatchPredicates, first: Int)
    extends BatchPredicates {

  override def initialize(partition: Int): Unit = ()

  override def open(batch: ColumnarBatch): Unit = ()

  override def select(k: Int, rows: Array[Int], count: Int, all: Boolean): Int =
    predicates.select(first + k, rows, count, all)
}
