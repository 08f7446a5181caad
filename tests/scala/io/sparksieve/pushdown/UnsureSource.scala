// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Row, SQLContext}
import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.StructType

/** A source that receives predicates, and does not declare which of them it handles. */
class UnsureSource extends RelationProvider {
  override def createRelation(context: SQLContext, parameters: Map[String, String]): BaseRelation =
    UnsureRelation(context)
}

case class UnsureRelation(sqlContext: SQLContext) extends BaseRelation with PrunedFilteredScan {

  override def schema: StructType = new StructType().add("a", "int")

  override def buildScan(columns: Array[String], filters: Array[Filter]): RDD[Row] =
    sqlContext.sparkContext.parallelize(1 to 3).map(a => Row.fromSeq(columns.map(_ => a).toSeq))
}
