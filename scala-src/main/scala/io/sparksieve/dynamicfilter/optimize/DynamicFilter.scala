// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Statistics, UnaryNode}

/**
 * Keeps the rows whose key is among the keys of the other side of a join, which are collected when
 * the query runs. The rows that it drops have no partner in that join; it may keep others that have
 * none.
 *
 * @param key
 *   the key over the child's output: a column, or a widening cast of one
 * @param source
 *   the subquery that yields the keys: Spark's DynamicPruningSubquery (a broadcast) or a
 *   ScalarSubquery over [[CollectKeys]]
 * @param learnedFrom
 *   where the keys come from
 */
private[sparksieve] final case class DynamicFilter(
    key: Expression,
    source: Expression,
    learnedFrom: FilterProvenance,
    child: LogicalPlan)
    extends UnaryNode {

  override def output: Seq[Attribute] = child.output

  @transient override lazy val references: AttributeSet = key.references

  override def maxRows: Option[Long] = child.maxRows

  // The selectivity is unknown before the query runs, so Spark must choose joins as if unfiltered.
  override def stats: Statistics = child.stats

  // Expression ids would make two copies of a plan differ, and prevent the reuse of an exchange.
  override protected def doCanonicalize(): LogicalPlan =
    super.doCanonicalize() match {
      case f: DynamicFilter => f.copy(learnedFrom = FilterProvenance.Unknown)
      case other => other
    }

  override def simpleString(maxFields: Int): String =
    s"DynamicFilter $key IN keys of $learnedFrom"

  override protected def withNewChildInternal(newChild: LogicalPlan): DynamicFilter =
    copy(child = newChild)
}
