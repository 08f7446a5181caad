// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.expr

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block._
import org.apache.spark.sql.execution.sieve.OnThread

import io.sparksieve.bulkfilter.load.{
  AllOf,
  AnyOf,
  FileKeys,
  LoadKeysExec,
  OneSet,
  SideBySide,
  ValueSet,
  Without
}
import io.sparksieve.keyset.{KeyType, SupportsBatchLookup}
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.encoding.CompositeKey
import io.sparksieve.keyset.longs.LongKeyType

/**
 * in_file and in_table in physical plans.
 *
 * @param set
 *   the values, read by a subquery of the operator that evaluates the predicate
 * @param members
 *   the sources of the values, for display
 */
private[bulkfilter] final case class InKeySet(
    keys: Seq[Expression],
    set: BulkKeys,
    members: ValueSet[FileKeys])
    extends BulkLeaf
    with SupportsBatchLookup
    with ConditionalExpression {

  // Limits Spark's search for common subexpressions to the keys. Leaves of one file also share
  // `set`, which is not a column that can be evaluated ahead.
  override def alwaysEvaluatedInputs: Seq[Expression] = keys

  def withNewAlwaysEvaluatedInputs(inputs: Seq[Expression]): InKeySet = copy(keys = inputs)

  override def branchGroups: Seq[Seq[Expression]] = Nil

  override def children: Seq[Expression] = keys :+ set

  override def nullable: Boolean = keys.exists(_.nullable)

  private def keyType: KeyType = KeyTypes.of(keys.head.dataType).get

  @transient private lazy val probe: KeyProbes = new KeyProbes(keys.map(_.dataType), set.membership)

  override def eval(input: InternalRow): Any = {
    val values = new GenericInternalRow(keys.size)
    var i = 0
    while (i < keys.size) {
      values.update(i, keys(i).eval(input))
      i += 1
    }
    probe(values)
  }

  override def takesBlocks: Boolean = keys.size == 1 && (set.membership match {
    case OneSet(shared) => shared.value.takesBlocks
    case _ => false
  })

  override def blockKey: Expression = keys.head

  override def encodeCode(value: String): String =
    keyType.asInstanceOf[LongKeyType].encodeCode(value)

  override def setCode(ctx: CodegenContext): String =
    set.membership.asInstanceOf[OneSet].shared.field(ctx)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    if (keys.size == 1) single(ctx, ev) else several(ctx, ev)

  private def single(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val key = keys.head.genCode(ctx)
    val contained = containsCode(ctx, set.membership, key.value.toString)
    if (nullable)
      ev.copy(code = code"""
        ${key.code}
        boolean ${ev.isNull} = ${key.isNull};
        boolean ${ev.value} = !${ev.isNull} && $contained;
      """)
    else
      ev.copy(
        code = code"""
        ${key.code}
        boolean ${ev.value} = $contained;
      """,
        isNull = FalseLiteral)
  }

  private def containsCode(ctx: CodegenContext, values: ValueSet[OneSet], value: String): String =
    values match {
      case one: OneSet => keyType.containsCode(one.shared.field(ctx), value)
      case AllOf(parts) => parts.map(containsCode(ctx, _, value)).mkString("(", " && ", ")")
      case AnyOf(parts) => parts.map(containsCode(ctx, _, value)).mkString("(", " || ", ")")
      case Without(from, without) =>
        s"(${containsCode(ctx, from, value)} && !${containsCode(ctx, without, value)})"
      case SideBySide(_) => throw SideBySide.noSet
    }

  private def several(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val row = GenerateUnsafeProjection.createCode(ctx, keys.map(CompositeKey.normalized))
    val probes = ctx.addReferenceObj(
      "keyProbes",
      new KeyProbes(keys.map(_.dataType), set.membership),
      classOf[KeyProbes].getName)
    val answer = ctx.freshName("answer")
    ev.copy(code = code"""
      ${row.code}
      byte $answer = $probes.test(${row.value});
      boolean ${ev.isNull} = $answer < 0;
      boolean ${ev.value} = $answer > 0;
    """)
  }

  override def sql: String = ValueSet.sql(members, keySql)

  override def toString: String = sql

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): InKeySet =
    copy(keys = newChildren.init, set = newChildren.last.asInstanceOf[BulkKeys])
}

private[bulkfilter] object InKeySet {

  /** The predicate of `leaf` with the values that `load` reads. */
  def of(leaf: InFile, load: LoadKeysExec): InKeySet =
    InKeySet(leaf.keys, BulkKeys(load, leaf.keys.head.dataType), leaf.members)

  /** The predicate with its values. They are read now, unless they have been read already. */
  def loaded(leaf: InFile, session: SparkSession): InKeySet = OnThread.active(session) {
    val ready = of(leaf, LoadKeysExec.of(leaf.members))
    ready.set.updateResult()
    ready
  }
}
