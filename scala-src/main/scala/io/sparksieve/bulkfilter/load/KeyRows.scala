// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import scala.reflect.ClassTag

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, NamedExpression}
import org.apache.spark.sql.execution.{
  ColumnarToRowExec,
  InputAdapter,
  ProjectExec,
  QueryExecution,
  SQLExecutionRDD,
  SparkPlan,
  WholeStageCodegenExec
}
import org.apache.spark.sql.vectorized.ColumnarBatch

import io.sparksieve.compat.SparkCompat

/** Maps each partition of a query that reads values to one result. */
private[bulkfilter] object KeyRows {

  /**
   * Runs the query. If the query only selects columns of a columnar scan, the values are read from
   * the scan's batches. This avoids copying them into rows, and compiling the code that copies
   * them.
   *
   * @param ofRows
   *   maps the rows of a partition; a row is valid until the iterator advances
   * @param ofBatches
   *   maps the batches of a partition, which have the query's columns; a batch is valid until the
   *   iterator advances
   */
  def map[T: ClassTag](session: SparkSession, query: QueryExecution)(
      ofRows: Iterator[InternalRow] => T,
      ofBatches: Iterator[ColumnarBatch] => T): RDD[T] =
    batches(query.executedPlan) match {
      // As in Spark's own `toRdd`: tasks see the session's configs even outside of a SQL execution.
      case Some(found) =>
        val typed = found.asInstanceOf[RDD[InternalRow]]
        new SQLExecutionRDD(typed, SparkCompat.conf(session)).mapPartitions { part =>
          Iterator.single(ofBatches(part.asInstanceOf[Iterator[ColumnarBatch]]))
        }
      case None => query.toRdd.mapPartitions(part => Iterator.single(ofRows(part)))
    }

  private def batches(plan: SparkPlan): Option[RDD[ColumnarBatch]] = plan match {
    case WholeStageCodegenExec(child) => batches(child)
    case ProjectExec(list, ColumnarToRowExec(InputAdapter(scan))) => batches(list, scan)
    case ProjectExec(list, ColumnarToRowExec(scan)) => batches(list, scan)
    case _ => None
  }

  private def batches(list: Seq[NamedExpression], scan: SparkPlan): Option[RDD[ColumnarBatch]] = {
    val ordinals = list.map {
      case Alias(column: Attribute, _) => scan.output.indexWhere(_.exprId == column.exprId)
      case _ => -1
    }
    if (ordinals.exists(_ < 0)) None
    else
      Some(
        scan
          .executeColumnar()
          .mapPartitions(_.map { batch =>
            new ColumnarBatch(ordinals.map(batch.column(_)).toArray, batch.numRows)
          }))
  }
}
