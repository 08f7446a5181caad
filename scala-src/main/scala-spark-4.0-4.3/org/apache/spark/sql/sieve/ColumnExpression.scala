// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.sql.Column
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.ColumnNodeToExpressionConverter

/** Converts a Column to its unanalysed Catalyst expression. */
object ColumnExpression {
  def apply(column: Column): Expression = ColumnNodeToExpressionConverter(column.node)
}
