// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._

import io.sparksieve.keyset.SupportsBatchLookup
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.longs.{LongKeySet, LongKeyType}

/** Tests whether a key is in `keys`. @param takesBlocks whether it may look up blocks of keys */
final case class KeyLeaf(child: Expression, keys: LongKeySet, takesBlocks: Boolean)
    extends UnaryExpression
    with SupportsBatchLookup
    with Predicate {

  private def keyType = KeyTypes.of(child.dataType).get.asInstanceOf[LongKeyType]

  override def blockKey: Expression = child

  override def encodeCode(value: String): String = keyType.encodeCode(value)

  override def setCode(ctx: CodegenContext): String =
    ctx.addReferenceObj("keys", keys, keys.getClass.getName)

  override def eval(input: InternalRow): Any = {
    val value = child.eval(input)
    if (value == null) null else keys.contains(keyType.encodeValue(value))
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    nullSafeCodeGen(ctx, ev, v => s"${ev.value} = ${keyType.containsCode(setCode(ctx), v)};")

  override protected def withNewChildInternal(newChild: Expression): KeyLeaf =
    copy(child = newChild)
}
