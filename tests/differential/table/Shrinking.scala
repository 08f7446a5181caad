// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.{Partition, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Row, SQLContext, SparkSession}
import org.apache.spark.sql.sources.{BaseRelation, TableScan}
import org.apache.spark.sql.types.StructType

/** A source that is written while it is read: all readers but the first find half of its rows. */
object Shrinking {

  private val reads = new AtomicInteger

  /** Makes the next reader the first. */
  def restart(): Unit = reads.set(0)

  def view(spark: SparkSession, name: String, of: String): Unit = {
    val rows = spark.table(of)
    val relation = new Relation(rows.collect().toVector, rows.schema, spark.sqlContext)
    spark.baseRelationToDataFrame(relation).createOrReplaceTempView(name)
  }

  private final class Relation(
      rows: Vector[Row],
      override val schema: StructType,
      override val sqlContext: SQLContext)
      extends BaseRelation
      with TableScan {

    override def buildScan(): RDD[Row] = new Rows(sqlContext.sparkContext, rows)
  }

  private final class Rows(context: SparkContext, rows: Vector[Row])
      extends RDD[Row](context, Nil) {

    override protected def getPartitions: Array[Partition] = Array(Whole)

    override def compute(split: Partition, context: TaskContext): Iterator[Row] =
      if (reads.getAndIncrement() == 0) rows.iterator else rows.iterator.take(rows.length / 2)
  }

  private object Whole extends Partition {
    override def index: Int = 0
  }
}
