package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.BasePredicate
import org.apache.spark.sql.vectorized.ColumnarBatch

/** The predicates of a filter, asked of many rows of a batch at a time. */
abstract class BatchPredicates {

  /** Called once, before anything is asked. */
  def initialize(partition: Int): Unit

  /** Rows are those of `batch` from now on. */
  def open(batch: ColumnarBatch): Unit

  /**
   * Keeps the rows for which predicate `k` is true.
   *
   * @param rows
   *   numbers of rows in the batch, ascending; those that are kept are moved to the front
   * @param count
   *   how many of them are asked
   * @param all
   *   then these are the first `count` rows of the batch, and `rows` need not hold them yet
   * @return
   *   how many are kept
   */
  def select(k: Int, rows: Array[Int], count: Int, all: Boolean): Int
}

/** Asks row by row: where code for batches cannot be made. */
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
