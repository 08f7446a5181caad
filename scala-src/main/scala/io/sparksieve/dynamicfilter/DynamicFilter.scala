package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Statistics, UnaryNode}

/**
 * Keeps the rows whose key is among the keys of another side of a join, which are collected when
 * the query runs. What it drops would find no partner in that join; it may keep more.
 *
 * @param key
 *   the key over the child's output: a column, or a widening cast of one
 * @param source
 *   the subquery that has the keys: Spark's DynamicPruningSubquery (a broadcast) or a
 *   ScalarSubquery over [[CollectKeys]]
 * @param learnedFrom
 *   where the keys come from
 */
final case class DynamicFilter(
    key: Expression,
    source: Expression,
    learnedFrom: LearnedFrom,
    child: LogicalPlan)
    extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  @transient override lazy val references: AttributeSet = key.references

  override def maxRows: Option[Long] = child.maxRows

  // How much it drops is not known before it runs: Spark must choose joins as it would without it.
  override def stats: Statistics = child.stats

  // Ids would tell two copies of one plan apart, and keep Spark from reusing an exchange.
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case f: DynamicFilter => f.copy(learnedFrom = LearnedFrom.Unknown)
      case other => other
    }

  override def simpleString(maxFields: Int): String =
    s"DynamicFilter $key IN keys of $learnedFrom"

  override protected def withNewChildInternal(newChild: LogicalPlan): DynamicFilter =
    copy(child = newChild)
}
