// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.keyset

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate, UnaryExpression}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}

import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.build.KeyTypes

/** Membership of one column in a key set: the counterpart of Spark's InSet. */
final case class Contains(child: Expression, set: KeySet) extends UnaryExpression with Predicate {

  private lazy val keyType = KeyTypes.of(child.dataType).get

  override def nullSafeEval(value: Any): Any = keyType.contains(set, InternalRow(value), 0)

  override def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val keys = ctx.addReferenceObj("keys", set, set.getClass.getName)
    defineCodeGen(ctx, ev, value => keyType.containsCode(keys, value))
  }

  override protected def withNewChildInternal(newChild: Expression): Contains =
    copy(child = newChild)
}
