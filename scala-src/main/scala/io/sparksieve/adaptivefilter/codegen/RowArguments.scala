// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeGenerator, ExprCode}

/**
 * How the methods of [[GenerateRowFilter]] receive a row. Columns are identified by their position
 * in the filter's input.
 */
private[adaptivefilter] sealed trait RowArguments {

  /** Parameters of a method that reads `columns`. */
  def declared(columns: Seq[Int]): Seq[String]

  /** Arguments for such a method, where the calling method has at least these columns. */
  def handed(columns: Seq[Int]): Seq[String]

  /** Arguments for such a method in the code that calls the filter, where columns are `values`. */
  def outer(columns: Seq[Int], values: Seq[ExprCode]): Seq[String]

  /** A Java expression for whether a column is NULL. */
  def isNull(column: Int): String

  /** The row variable from which expressions read their columns, if there is one. */
  def inputRow: Option[String]

  /** The arguments of a filter that is called from a method with these arguments. */
  def inner: RowArguments
}

/** Passes the row itself, from which each predicate reads its columns when it is evaluated. */
private[adaptivefilter] final case class WholeRow(variable: String) extends RowArguments {
  override def declared(columns: Seq[Int]): Seq[String] = Seq(s"InternalRow ${WholeRow.Name}")
  override def handed(columns: Seq[Int]): Seq[String] = Seq(WholeRow.Name)
  override def outer(columns: Seq[Int], values: Seq[ExprCode]): Seq[String] = Seq(variable)
  override def isNull(column: Int): String = s"${WholeRow.Name}.isNullAt($column)"
  override def inputRow: Option[String] = Some(WholeRow.Name)
  override def inner: RowArguments = WholeRow(WholeRow.Name)
}

private[adaptivefilter] object WholeRow {
  private val Name = "row"
}

/** Passes, for each column, the value and whether it is NULL; both have been evaluated before. */
private[adaptivefilter] final case class EvaluatedColumns(input: Seq[Attribute])
    extends RowArguments {

  override def declared(columns: Seq[Int]): Seq[String] = columns.map { i =>
    s"${CodeGenerator.javaType(input(i).dataType)} value$i, boolean isNull$i"
  }
  override def handed(columns: Seq[Int]): Seq[String] = columns.map(i => s"value$i, isNull$i")
  override def outer(columns: Seq[Int], values: Seq[ExprCode]): Seq[String] =
    columns.flatMap(i => Seq[String](values(i).value, values(i).isNull))
  override def isNull(column: Int): String = s"isNull$column"
  override def inputRow: Option[String] = None
  override def inner: RowArguments = this
}
