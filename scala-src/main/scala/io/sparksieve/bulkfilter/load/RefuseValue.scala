// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.execution.sieve.InputFile
import org.apache.spark.sql.types.DataType

import io.sparksieve.bulkfilter.source.{KeyColumn, KeySource}

/** Throws an error for a value invalid for the key's type. @param child the value as text */
private[bulkfilter] final case class RefuseValue(
    child: Expression,
    column: KeyColumn,
    source: KeySource)
    extends UnaryExpression
    with CodegenFallback {

  override def dataType: DataType = column.keyType

  override def nullable: Boolean = true

  override def foldable: Boolean = false

  override def eval(input: InternalRow): Any =
    throw InvalidKeyException(
      source,
      BadValue(InputFile(), column.name, String.valueOf(child.eval(input))))

  override protected def withNewChildInternal(newChild: Expression): RefuseValue =
    copy(child = newChild)
}
