package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.types.DoubleType

/**
 * Whether a plan gives the same rows whenever it runs. A shuffled side runs once where Spark reuses
 * its exchange, which nobody promises; were it run twice with other rows, the filter would drop
 * rows that the join needs.
 */
private[dynamicfilter] object Repeatable {

  def apply(plan: LogicalPlan): Boolean = !plan.exists(unsteady)

  private def unsteady(node: LogicalPlan): Boolean = node match {
    // Which rows these keep may depend on the order in which rows come.
    case _: GlobalLimit | _: LocalLimit | _: Offset | _: Tail | _: Sample | _: Window => true
    case leaf: LeafNode => !steady(leaf)
    case a: Aggregate =>
      !a.deterministic || a.aggregateExpressions.exists(_.exists {
        case f: AggregateFunction => !steady(f)
        case _ => false
      })
    case other => !other.deterministic
  }

  // Others may depend on the order in which rows come, as first, collect_list and sums of floats do.
  private def steady(function: AggregateFunction): Boolean = function match {
    case _: Count | _: Min | _: Max => true
    case s: Sum => !s.dataType.isInstanceOf[DoubleType]
    case _ => false
  }

  private def steady(leaf: LeafNode): Boolean = leaf match {
    case r: LogicalRelation => r.relation.isInstanceOf[HadoopFsRelation]
    case _: DataSourceV2ScanRelation | _: HiveTableRelation => true
    case _: InMemoryRelation | _: LocalRelation | _: LogicalRDD | _: Range => true
    case _: OneRowRelation | _: CTERelationRef => true
    case _ => false
  }
}
