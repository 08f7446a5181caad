// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import scala.util.Try

import org.apache.spark.sql.Column
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, UserDefinedExpression}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.sieve.ColumnExpression

/** Converts keys of filters to and from SQL text, for JSON and for reports. */
private[bulkfilter] object KeyText {

  /** The SQL text of a key; None if SQL cannot express it, for example a Scala UDF. */
  def of(key: Column): Option[String] = Try(ColumnExpression(key)).toOption.flatMap {
    case name: Attribute if !isName(name.sql) => Some(quoteIdentifier(name.name))
    case e if e.exists(_.isInstanceOf[UserDefinedExpression]) => None
    case e => Some(e.sql).filter(parses)
  }

  /**
   * Parses `text` as a key: a SQL expression, in the simplest case the name of a column.
   *
   * @throws IllegalArgumentException
   *   if `text` is not a SQL expression
   */
  def key(text: String): Column = expr(checked(text))

  /** Returns `text` if it is a SQL expression, and throws otherwise. */
  def checked(text: String): String = {
    require(
      parses(text),
      s"'$text' is not an expression of SQL; a name with a space needs backticks")
    text
  }

  // `a b` would parse as `a` with the alias `b`.
  private def parses(text: String) =
    Try(CatalystSqlParser.parseExpression(text)).toOption.exists(!_.isInstanceOf[Alias])

  private def isName(text: String) =
    Try(CatalystSqlParser.parseExpression(text)).toOption
      .exists(_.isInstanceOf[UnresolvedAttribute])
}
