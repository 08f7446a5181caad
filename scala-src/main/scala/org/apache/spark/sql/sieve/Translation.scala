package org.apache.spark.sql.sieve

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.V2ExpressionBuilder
import org.apache.spark.sql.connector.expressions.{Expression => V2Expression}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.execution.datasources.{DataSourceStrategy, DataSourceUtils}
import org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation
import org.apache.spark.sql.execution.datasources.orc.OrcFilters
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy
import org.apache.spark.sql.sources.{BaseRelation, Filter}
import org.apache.spark.sql.types.StructType

/** How Spark tells predicates to sources, which is private to Spark's package. */
object Translation {

  /** A predicate in the form of the first API; None if it has none. */
  def v1(predicate: Expression, nested: Boolean): Option[Filter] =
    DataSourceStrategy.translateFilter(predicate, nested)

  /** A predicate in the form of the second API; None if it has none. */
  def v2(predicate: Expression): Option[Predicate] =
    DataSourceV2Strategy.translateFilterV2(predicate)

  /** A part of a predicate in the form of the second API; None if it has none. */
  def v2Operand(operand: Expression): Option[V2Expression] =
    new V2ExpressionBuilder(operand).build()

  /** Whether a relation of the first API is told of fields of structs. */
  def nested(relation: BaseRelation): Boolean =
    DataSourceUtils.supportNestedPredicatePushdown(relation)

  /** Whether ORC's reader can use a filter, or a part of it. */
  def orc(schema: StructType, filter: Filter): Boolean =
    OrcFilters.createFilter(schema, Seq(filter)).nonEmpty

  /** Of a relation that is read by JDBC: what is read there, and whether filters are pushed. */
  def jdbc(relation: BaseRelation): Option[(String, Boolean)] = relation match {
    case r: JDBCRelation =>
      Some((r.jdbcOptions.tableOrQuery, r.jdbcOptions.pushDownPredicate))
    case _ => None
  }
}
