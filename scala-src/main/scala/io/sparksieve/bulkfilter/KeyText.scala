package io.sparksieve.bulkfilter

import scala.util.Try

import org.apache.spark.sql.Column
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, UserDefinedExpression}
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.quoteIdentifier
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.sieve.ColumnExpression

/** Keys of filters as SQL text, which is what JSON and a reader take. */
private[bulkfilter] object KeyText {

  /** The text of a key; none if SQL cannot say it, as with a function that was written in Scala. */
  def of(key: Column): Option[String] = Try(ColumnExpression(key)).toOption.flatMap {
    case name: Attribute if !isName(name.sql) => Some(quoteIdentifier(name.name))
    case e if e.exists(_.isInstanceOf[UserDefinedExpression]) => None
    case e => Some(e.sql).filter(parses)
  }

  /**
   * The key that `text` says: an expression, of which a column's name is the simplest.
   *
   * @throws IllegalArgumentException
   *   if it is no SQL
   */
  def key(text: String): Column = expr(checked(text))

  /** The text, if it is SQL. */
  def checked(text: String): String = {
    require(
      parses(text),
      s"'$text' is not an expression of SQL; a name with a space needs backticks")
    text
  }

  // `a b` would parse as a with the alias b.
  private def parses(text: String) =
    Try(CatalystSqlParser.parseExpression(text)).toOption.exists(!_.isInstanceOf[Alias])

  private def isName(text: String) =
    Try(CatalystSqlParser.parseExpression(text)).toOption
      .exists(_.isInstanceOf[UnresolvedAttribute])
}
