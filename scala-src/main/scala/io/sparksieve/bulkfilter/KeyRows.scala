package io.sparksieve.bulkfilter

import scala.jdk.CollectionConverters._

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

/** The rows of a query that reads values. */
private[bulkfilter] object KeyRows {

  /**
   * What the query yields; a row is valid until the next one is asked for. Where the query is columns
   * of a scan that reads batches, values are asked of these, and not copied into rows first by code
   * that would have to be compiled.
   */
  def apply(session: SparkSession, query: QueryExecution): RDD[InternalRow] =
    ofBatches(query.executedPlan) match {
      // As Spark's own `toRdd` is: tasks have the session's settings also where no query runs yet.
      case Some(rows) => new SQLExecutionRDD(rows, SparkCompat.conf(session))
      case None => query.toRdd
    }

  private def ofBatches(plan: SparkPlan): Option[RDD[InternalRow]] = plan match {
    case WholeStageCodegenExec(child) => ofBatches(child)
    case ProjectExec(list, ColumnarToRowExec(InputAdapter(scan))) => ofBatches(list, scan)
    case ProjectExec(list, ColumnarToRowExec(scan)) => ofBatches(list, scan)
    case _ => None
  }

  private def ofBatches(list: Seq[NamedExpression], scan: SparkPlan): Option[RDD[InternalRow]] = {
    val ordinals = list.map {
      case Alias(column: Attribute, _) => scan.output.indexWhere(_.exprId == column.exprId)
      case _ => -1
    }
    if (ordinals.exists(_ < 0)) None
    else
      Some(
        scan
          .executeColumnar()
          .mapPartitions(_.flatMap { batch =>
            val columns = ordinals.map(batch.column(_)).toArray
            new ColumnarBatch(columns, batch.numRows).rowIterator.asScala
          }))
  }
}
