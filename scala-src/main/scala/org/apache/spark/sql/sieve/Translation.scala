// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.catalyst.util.V2ExpressionBuilder
import org.apache.spark.sql.connector.expressions.{Expression => V2Expression}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.execution.datasources.{DataSourceStrategy, DataSourceUtils}
import org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation
import org.apache.spark.sql.execution.datasources.orc.OrcFilters
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy
import org.apache.spark.sql.sources.{BaseRelation, Filter}
import org.apache.spark.sql.types.StructType

/** Spark's translation of predicates for sources, which is private to Spark's package. */
object Translation {

  /** A predicate as a DSv1 filter; None if it cannot be translated. */
  def v1(predicate: Expression, nested: Boolean): Option[Filter] =
    DataSourceStrategy.translateFilter(predicate, nested)

  /** A predicate as a DSv2 predicate; None if it cannot be translated. */
  def v2(predicate: Expression): Option[Predicate] =
    DataSourceV2Strategy.translateFilterV2(predicate)

  /** The predicates with the names of columns as `output` spells them. */
  def normalized(predicates: Seq[Expression], output: Seq[AttributeReference]): Seq[Expression] =
    DataSourceStrategy.normalizeExprs(predicates, output)

  /** A part of a predicate as a DSv2 expression; None if it cannot be translated. */
  def v2Operand(operand: Expression): Option[V2Expression] =
    new V2ExpressionBuilder(operand).build()

  /** Whether Spark pushes predicates on struct fields to a DSv1 relation. */
  def nested(relation: BaseRelation): Boolean =
    DataSourceUtils.supportNestedPredicatePushdown(relation)

  /** Whether ORC's reader can use a filter, or a part of it. */
  def orc(schema: StructType, filter: Filter): Boolean =
    OrcFilters.createFilter(schema, Seq(filter)).nonEmpty

  /** The table or query of a JDBC relation, and whether filters are pushed; None for others. */
  def jdbc(relation: BaseRelation): Option[(String, Boolean)] = relation match {
    case r: JDBCRelation =>
      Some((r.jdbcOptions.tableOrQuery, r.jdbcOptions.pushDownPredicate))
    case _ => None
  }
}
