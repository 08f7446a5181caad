package io.sparksieve.bulkfilter

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

import io.sparksieve.SparkCompat

/** What is made of the rows of a query that reads values, part by part. */
private[bulkfilter] object KeyRows {

  /**
   * Where the query is columns of a scan that reads batches, values are asked of these, and not
   * copied into rows first by code that would have to be compiled.
   *
   * @param ofRows
   *   a row is valid until the next one is asked for
   * @param ofBatches
   *   the columns are those of the query; a batch is valid until the next one is asked for
   */
  def map[T: ClassTag](session: SparkSession, query: QueryExecution)(
      ofRows: Iterator[InternalRow] => T,
      ofBatches: Iterator[ColumnarBatch] => T): RDD[T] =
    batches(query.executedPlan) match {
      // As Spark's own `toRdd` is: tasks have the session's settings also where no query runs yet.
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
