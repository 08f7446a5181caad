package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block._

import io.sparksieve.keyset._

/**
 * A tree of in_file and in_table, many of which ask the same keys: for each key it asks masks, which
 * say at once in which of the sets a value is.
 *
 * @param keys
 *   the keys, each once for [[KeyMasks.MostSets]] sets
 * @param sets
 *   for each key its sets
 * @param tree
 *   what is asked of them
 * @param members
 *   for each key what its sets are made of, for a reader
 */
final case class InTree private[bulkfilter] (
    keys: Seq[Expression],
    sets: Seq[BulkKeys],
    private[bulkfilter] val tree: LeafTree,
    members: Seq[SideBySide])
    extends BulkLeaf
    with AskedTogether
    with ConditionalExpression {

  // As of InKeys: Spark looks for common parts in the keys only.
  override def alwaysEvaluatedInputs: Seq[Expression] = AskTogether.distinct(keys)

  def withNewAlwaysEvaluatedInputs(inputs: Seq[Expression]): InTree = {
    val made = alwaysEvaluatedInputs.zip(inputs)
    copy(keys =
      keys.map(key => made.collectFirst { case (k, m) if k.semanticEquals(key) => m }.get))
  }

  override def branchGroups: Seq[Seq[Expression]] = Nil

  override def children: Seq[Expression] = keys ++ sets

  override def nullable: Boolean = keys.exists(_.nullable)

  private def keyType(key: Int) = KeyType.of(keys(key).dataType).get.asInstanceOf[LongKeyType]

  private def newAsker: AskerOf =
    new AskerOf(tree, sets.map(_.membership).toArray, sets.flatMap(_.counts).toArray)

  @transient private lazy val asker: ThreadLocal[TreeAsker] = {
    val made = newAsker
    ThreadLocal.withInitial[TreeAsker](() => made())
  }

  override def eval(input: InternalRow): Any = {
    val mine = asker.get()
    var k = 0
    while (k < keys.size) {
      val value = keys(k).eval(input)
      val block = mine.block(k)
      block.nulls(0) = if (value == null) 1 else 0
      block.keys(0) = if (value == null) 0L else keyType(k).encodeValue(value)
      k += 1
    }
    mine.askOne() match {
      case BlockAsker.Null => null
      case answer => answer == BlockAsker.True
    }
  }

  override def blockKeys: Seq[Expression] = keys

  override def encodeCode(key: Int, value: String): String = keyType(key).encodeCode(value)

  override def askerCode(ctx: CodegenContext): String = {
    val made = ctx.addReferenceObj("treeOfLeaves", newAsker, classOf[AskerOf].getName)
    ctx.addMutableState(
      classOf[TreeAsker].getName,
      "treeAsker",
      v => s"$v = $made.apply();",
      forceInline = true)
  }

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val mine = askerCode(ctx)
    val answer = ctx.freshName("answer")
    val put = keys.zipWithIndex.map { case (key, k) =>
      val value = key.genCode(ctx)
      code"""
        ${value.code}
        $mine.block($k).nulls()[0] = (byte) (${value.isNull} ? 1 : 0);
        $mine.block($k).keys()[0] = ${value.isNull} ? 0L : ${encodeCode(k, value.value.toString)};
      """
    }
    val code = put.reduceLeft(_ + _) + code"int $answer = $mine.askOne();"
    if (nullable)
      ev.copy(code = code + code"""
        boolean ${ev.isNull} = $answer == ${BlockAsker.Null};
        boolean ${ev.value} = $answer == ${BlockAsker.True};
      """)
    else
      ev.copy(
        code = code + code"boolean ${ev.value} = $answer == ${BlockAsker.True};",
        isNull = FalseLiteral)
  }

  override def sql: String = show(_.sql)

  override def toString: String = show(_.toString)

  private def show(key: Expression => String) =
    tree.show(leaf => members(leaf.key).parts(leaf.set).sql(key(keys(leaf.key))))

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): InTree =
    copy(
      keys = newChildren.take(keys.size),
      sets = newChildren.drop(keys.size).map(_.asInstanceOf[BulkKeys]))
}

/** Makes askers where tasks run. For generated code. */
final class AskerOf private[bulkfilter] (
    tree: LeafTree,
    asked: Array[Membership],
    counts: Array[LeafCounts])
    extends Serializable {
  def apply(): TreeAsker = new TreeAsker(tree, asked, counts)
}
