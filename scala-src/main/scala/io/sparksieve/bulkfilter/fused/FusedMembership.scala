// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.fused

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block._

import io.sparksieve.bulkfilter.expr.{BulkKeys, BulkLeaf}
import io.sparksieve.bulkfilter.load.{FileKeys, LeafCounts, OneSet, SideBySide, ValueSet}
import io.sparksieve.keyset.{BatchEvaluator, SupportsBatchEval}
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.longs.LongKeyType

/**
 * A tree of in_file and in_table predicates, many of which have the same key. One probe per key
 * returns a bitmask that says which of the key's sets contain the value.
 *
 * @param keys
 *   the keys; a key with more than [[KeyMasks.MostSets]] sets appears several times
 * @param sets
 *   the sets of each key
 * @param tree
 *   the predicate over the memberships in these sets
 * @param members
 *   the sources of each key's sets, for display
 */
private[bulkfilter] final case class FusedMembership private[bulkfilter] (
    keys: Seq[Expression],
    sets: Seq[BulkKeys],
    private[bulkfilter] val tree: MembershipTree,
    members: Seq[SideBySide[FileKeys]])
    extends BulkLeaf
    with SupportsBatchEval
    with ConditionalExpression {

  // As in InKeySet: Spark looks for common subexpressions in the keys only.
  override def alwaysEvaluatedInputs: Seq[Expression] = FusedMembership.distinct(keys)

  def withNewAlwaysEvaluatedInputs(inputs: Seq[Expression]): FusedMembership = {
    val made = alwaysEvaluatedInputs.zip(inputs)
    copy(keys =
      keys.map(key => made.collectFirst { case (k, m) if k.semanticEquals(key) => m }.get))
  }

  override def branchGroups: Seq[Seq[Expression]] = Nil

  override def children: Seq[Expression] = keys ++ sets

  override def nullable: Boolean = keys.exists(_.nullable)

  private def keyType(key: Int) = KeyTypes.of(keys(key).dataType).get.asInstanceOf[LongKeyType]

  private def newEvaluator: MembershipEvaluatorSource =
    new MembershipEvaluatorSource(
      tree,
      sets.map(_.membership).toArray,
      sets.flatMap(_.counts).toArray)

  @transient private lazy val evaluator: ThreadLocal[MembershipEvaluator] = {
    val made = newEvaluator
    ThreadLocal.withInitial[MembershipEvaluator](() => made())
  }

  override def eval(input: InternalRow): Any = {
    val mine = evaluator.get()
    var k = 0
    while (k < keys.size) {
      val value = keys(k).eval(input)
      val block = mine.block(k)
      block.nulls(0) = if (value == null) 1 else 0
      block.keys(0) = if (value == null) 0L else keyType(k).encodeValue(value)
      k += 1
    }
    mine.evaluateOne() match {
      case BatchEvaluator.Null => null
      case answer => answer == BatchEvaluator.True
    }
  }

  override def blockKeys: Seq[Expression] = keys

  override def encodeCode(key: Int, value: String): String = keyType(key).encodeCode(value)

  override def evaluatorCode(ctx: CodegenContext): String = {
    val made =
      ctx.addReferenceObj("treeOfLeaves", newEvaluator, classOf[MembershipEvaluatorSource].getName)
    ctx.addMutableState(
      classOf[MembershipEvaluator].getName,
      "treeEvaluator",
      v => s"$v = $made.apply();",
      forceInline = true)
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val mine = evaluatorCode(ctx)
    val answer = ctx.freshName("answer")
    val put = keys.zipWithIndex.map { case (key, k) =>
      val value = key.genCode(ctx)
      code"""
        ${value.code}
        $mine.block($k).nulls()[0] = (byte) (${value.isNull} ? 1 : 0);
        $mine.block($k).keys()[0] = ${value.isNull} ? 0L : ${encodeCode(k, value.value.toString)};
      """
    }
    val code = put.reduceLeft(_ + _) + code"int $answer = $mine.evaluateOne();"
    if (nullable)
      ev.copy(code = code + code"""
        boolean ${ev.isNull} = $answer == ${BatchEvaluator.Null};
        boolean ${ev.value} = $answer == ${BatchEvaluator.True};
      """)
    else
      ev.copy(
        code = code + code"boolean ${ev.value} = $answer == ${BatchEvaluator.True};",
        isNull = FalseLiteral)
  }

  override def sql: String = show(_.sql)

  override def toString: String = show(_.toString)

  private def show(key: Expression => String) =
    tree.show(leaf => ValueSet.sql(members(leaf.key).parts(leaf.set), key(keys(leaf.key))))

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): FusedMembership =
    copy(
      keys = newChildren.take(keys.size),
      sets = newChildren.drop(keys.size).map(_.asInstanceOf[BulkKeys]))
}

/** Creates a [[MembershipEvaluator]] where a task runs. Generated code calls it. */
private[bulkfilter] final class MembershipEvaluatorSource private[bulkfilter] (
    tree: MembershipTree,
    values: Array[ValueSet[OneSet]],
    counts: Array[LeafCounts])
    extends Serializable {
  def apply(): MembershipEvaluator = new MembershipEvaluator(tree, values, counts)
}

private[bulkfilter] object FusedMembership {

  /** The expressions without semantic duplicates. */
  def distinct(keys: Seq[Expression]): Seq[Expression] =
    keys.foldLeft(Vector.empty[Expression]) { (known, next) =>
      if (known.exists(_.semanticEquals(next))) known else known :+ next
    }
}
