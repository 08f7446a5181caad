// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.run

import org.apache.spark.sql.catalyst.expressions.BasePredicate
import org.apache.spark.sql.vectorized.ColumnarBatch

/** The predicates of a filter, each evaluated for many rows of a batch at a time. */
private[adaptivefilter] abstract class BatchPredicates {

  /** Called once, before any predicate is evaluated. */
  def initialize(partition: Int): Unit

  /** Makes `batch` the batch that row numbers refer to from now on. */
  def open(batch: ColumnarBatch): Unit

  /**
   * Keeps the rows for which predicate `k` is true.
   *
   * @param rows
   *   numbers of rows in the batch, ascending; the rows that are kept are moved to the front
   * @param count
   *   the number of rows to evaluate
   * @param all
   *   whether to evaluate the first `count` rows of the batch; then the contents of `rows` are
   *   ignored and overwritten
   * @return
   *   the number of rows kept
   */
  def select(k: Int, rows: Array[Int], count: Int, all: Boolean): Int
}

/** Evaluates predicates row by row, where code for batches cannot be generated. */
private[adaptivefilter] final class RowwisePredicates(predicates: Array[BasePredicate])
    extends BatchPredicates {

  private var batch: ColumnarBatch = _

  override def initialize(partition: Int): Unit = predicates.foreach(_.initialize(partition))

  override def open(batch: ColumnarBatch): Unit = this.batch = batch

  override def select(k: Int, rows: Array[Int], count: Int, all: Boolean): Int = {
    val predicate = predicates(k)
    var kept = 0
    var i = 0
    while (i < count) {
      val row = if (all) i else rows(i)
      if (predicate.eval(batch.getRow(row))) {
        rows(kept) = row
        kept += 1
      }
      i += 1
    }
    kept
  }
}
