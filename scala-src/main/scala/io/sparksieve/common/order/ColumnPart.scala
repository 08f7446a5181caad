// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common.order

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, GetStructField}
import org.apache.spark.sql.execution.datasources.FileFormat
import org.apache.spark.sql.types.StructType

import io.sparksieve.common.ReadSource

/**
 * What an expression reads of a column.
 *
 * @param field
 *   the field of a column that is a struct; None if the whole column is read
 */
private[order] final case class ColumnPart(column: Attribute, field: Option[String]) {

  /** Whether it says where the split of a file begins or how long it is. */
  def isOfSplit: Boolean =
    ReadSource.isFileMetadata(column) && ((column.dataType, field) match {
      case (_: StructType, Some(name)) => ColumnPart.OfSplit(name)
      case (fields: StructType, None) => fields.fieldNames.exists(ColumnPart.OfSplit)
      case _ => ColumnPart.OfSplit(column.name)
    })
}

private[order] object ColumnPart {

  /** All that an expression reads. */
  def of(e: Expression): Seq[ColumnPart] = e match {
    case field @ GetStructField(a: Attribute, _, _) =>
      Seq(ColumnPart(a, Some(field.childSchema(field.ordinal).name)))
    case a: Attribute => Seq(ColumnPart(a, None))
    case _ => e.children.flatMap(of)
  }

  private val OfSplit: Set[String] =
    Set(FileFormat.FILE_BLOCK_START, FileFormat.FILE_BLOCK_LENGTH)
}
