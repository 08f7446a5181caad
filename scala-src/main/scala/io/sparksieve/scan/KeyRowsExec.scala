// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.trees.LeafLike
import org.apache.spark.sql.execution.{BaseSubqueryExec, SparkPlan}
import org.apache.spark.sql.types.DataType

/**
 * A subquery whose rows are known values: the form in which Spark passes runtime filters to DSv2
 * sources.
 *
 * @param values
 *   in Spark's internal form, none of them NULL
 */
private[sparksieve] final case class KeyRowsExec(dataType: DataType, values: Seq[Any])
    extends BaseSubqueryExec
    with LeafLike[SparkPlan] {

  override def name: String = "keys"

  // BaseSubqueryExec requires a child, but this leaf has none. Spark reads only the child's output
  // and similar properties, which this operator defines itself.
  override def child: SparkPlan = this

  override val output: Seq[Attribute] =
    Seq(AttributeReference("key", dataType, nullable = false)())

  override def executeCollect(): Array[InternalRow] = values.map(v => InternalRow(v)).toArray

  override protected def doExecute(): RDD[InternalRow] =
    sparkContext.parallelize(executeCollect().toSeq, 1)
}
