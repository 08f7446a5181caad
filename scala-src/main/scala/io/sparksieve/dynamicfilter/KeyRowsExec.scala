package io.sparksieve.dynamicfilter

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.trees.LeafLike
import org.apache.spark.sql.execution.{BaseSubqueryExec, SparkPlan}
import org.apache.spark.sql.types.DataType

/**
 * Values that are known as the rows of a subquery, which is how Spark hands run-time filters to
 * DSv2 sources.
 *
 * @param values
 *   of Spark's internal form, none NULL
 */
private[dynamicfilter] final case class KeyRowsExec(dataType: DataType, values: Seq[Any])
    extends BaseSubqueryExec
    with LeafLike[SparkPlan] {

  override def name: String = "keys"

  // It has none; Spark asks for its output and the like only, which are given here.
  override def child: SparkPlan = this

  override val output: Seq[Attribute] =
    Seq(AttributeReference("key", dataType, nullable = false)())

  override def executeCollect(): Array[InternalRow] = values.map(v => InternalRow(v)).toArray

  override protected def doExecute(): RDD[InternalRow] =
    sparkContext.parallelize(executeCollect().toSeq, 1)
}
