// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.MapData
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.bulkfilter.source.{FileColumns, KeyFileException, KeyOptions, TableColumns}

/** A SQL function that tests whether a key is among the values of a file or table. */
private[analysis] sealed abstract class KeyFunction(name: String, place: String) {

  protected def resolve(
      session: SparkSession,
      call: KeyCall,
      place: String,
      options: KeyOptions): Expression

  private def usage =
    s"""$name(key, '$place'[, options]) - Returns true if `key` is among the values of
       |$about, false if it is not, NULL if it is NULL. NULLs there are ignored.
       |`key` may be several columns: $name((a, b), ...); then the answer is that of SQL's IN for rows.
       |`options` is a map of strings: 'column' names the column, or several, comma-separated;
       |'invalid' is fail (default) or skip: what becomes of values that are none of the key's type;
       |$more""".stripMargin

  protected def about: String

  protected def more: String

  private def examples =
    s"""
       |    Examples:
       |      > SELECT * FROM orders WHERE $example;
       |  """.stripMargin

  protected def example: String

  /**
   * The argument for [[org.apache.spark.sql.SparkSessionExtensions.injectFunction]]; the same
   * instance on each call.
   */
  lazy val describe: (FunctionIdentifier, ExpressionInfo, Seq[Expression] => Expression) =
    (FunctionIdentifier(name), info, build)

  /**
   * Registers the function as a Spark built-in in this JVM. Before Spark 4.2, functions that
   * extensions inject count as temporary, and a permanent view cannot refer to them.
   */
  def register(): Unit = {
    val (id, about, builder) = describe
    if (!FunctionRegistry.builtin.functionExists(id)) {
      FunctionRegistry.builtin.registerFunction(id, about, builder)
    }
  }

  private def info = new ExpressionInfo(
    getClass.getName,
    null,
    name,
    usage,
    "",
    examples,
    "",
    "predicate_funcs",
    "",
    "",
    "scala_udf")

  private def build(arguments: Seq[Expression]): Expression = arguments match {
    case Seq(key, where) => build(key, where, Map.empty)
    case Seq(key, where, options) => build(key, where, strings(options))
    case _ =>
      fail(
        s"takes a key, '$place' and, if need be, a map of options, not ${arguments.size} arguments.")
  }

  private def build(
      key: Expression,
      where: Expression,
      options: Map[String, String]): Expression = {
    val text = constant(where, s"'$place'") match {
      case s: UTF8String if s.toString.trim.nonEmpty => s.toString.trim
      case _ => fail(s"'$place' must be a string that is not empty, not ${where.sql}.")
    }
    resolve(SparkSession.active, KeyCall(name, key), text, KeyOptions(name, options))
  }

  private def strings(options: Expression): Map[String, String] =
    (options.dataType, constant(options, "the options")) match {
      case (MapType(_: StringType, _: StringType, _), map: MapData) =>
        val (keys, values) = (map.keyArray(), map.valueArray())
        (0 until map.numElements()).map { i =>
          val key = keys.getUTF8String(i).toString
          if (values.isNullAt(i)) fail(s"the option '$key' is NULL.")
          key -> values.getUTF8String(i).toString
        }.toMap
      case _ =>
        fail(
          s"the options must be a map of strings such as map('column', 'id'), not ${options.sql}.")
    }

  private def constant(e: Expression, what: String): Any =
    if (e.foldable) e.eval()
    else fail(s"$what must be constant, and ${e.sql} is not: it is read before there are rows.")

  protected final def fail(message: String): Nothing = KeyFileException.fail(name, message)
}

private[sparksieve] object InFileFunction extends KeyFunction("in_file", "path") {
  override protected def about = "the file or folder at `path`"
  override protected def more =
    """'format' is parquet, orc, csv, json, text or another format of Spark's readers (default: by the
      |name of the file); what else is given goes to Spark's reader, such as 'header' or 'sep'.""".stripMargin
  override protected def example =
    "in_file(customer_id, 'ids.csv', map('header', 'true', 'column', 'id'))"

  override protected def resolve(
      session: SparkSession,
      call: KeyCall,
      place: String,
      options: KeyOptions): Expression =
    call.leaf(FileColumns(session, call.function, place, options), options, session)
}

private[sparksieve] object InTableFunction extends KeyFunction("in_table", "table.column") {
  override protected def about = "a column of a table or view"
  override protected def more =
    "the name may have a database and a catalog in front; with 'column' it is the table's alone."
  override protected def example = "in_table(customer_id, 'sales.blocked.customer_id')"

  override protected def resolve(
      session: SparkSession,
      call: KeyCall,
      place: String,
      options: KeyOptions): Expression = {
    if (options.format.nonEmpty || options.reader.nonEmpty)
      fail("knows the options 'column' and 'invalid' only, not " +
        s"${(options.format.map(_ => "format") ++ options.reader.keys).mkString("'", "', '", "'")}.")
    val (found, chosen) = TableColumns(session, call.function, place, options)
    call.leaf(found, chosen, session)
  }
}
