package io.sparksieve.bulkfilter

import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  Expression,
  LeafExpression,
  Predicate,
  Unevaluable
}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.trees.TreePattern.{INSET, TreePattern}
import org.apache.spark.sql.types.{BooleanType, DataType}

import io.sparksieve.common.NeverFails

/** A predicate that asks whether keys are among many values. It cannot fail. */
trait BulkLeaf extends Predicate with NeverFails {

  /** The columns of the key, or the keys of a tree of leaves. */
  def keys: Seq[Expression]

  protected def keySql: String =
    if (keys.size == 1) keys.head.sql else keys.map(_.sql).mkString("(", ", ", ")")
}

/**
 * in_file and in_table as logical plans have them. [[PlanKeyFiles]] makes [[InKeys]] of them, which
 * reads the values before there are rows; where Spark evaluates a predicate while it plans, such as
 * to prune partitions, they are read there and then.
 */
final case class InFile(keys: Seq[Expression], members: Members) extends BulkLeaf {

  /** Whether it is known which files the values come from: until then nothing may be evaluated. */
  private def isPinned = members.files.forall(_.entry.nonEmpty)

  override lazy val children: Seq[Expression] = if (isPinned) keys else keys :+ NotPinned

  override def nullable: Boolean = keys.exists(_.nullable)

  override def foldable: Boolean = false

  // Rare, so that plans without it are found out quickly, and used by Spark for nothing else:
  // SCALA_UDF, say, keeps Spark from making a Bloom filter of rows with such a predicate.
  override val nodePatterns: Seq[TreePattern] = Seq(INSET)

  @transient private lazy val ready: InKeys = {
    if (TaskContext.get() != null)
      throw new IllegalStateException(s"$sql was not planned, and cannot read values in a task.")
    PlanKeyFiles.loaded(this, SparkSession.active)
  }

  override def eval(input: InternalRow): Any =
    // Spark asks what a filter makes of NULLs; that needs no values.
    if (keys.size == 1 && keys.head.eval(input) == null) null else ready.eval(input)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ready.genCode(ctx)

  override def sql: String = members.sql(keySql)

  override def toString: String =
    members.sql(if (keys.size == 1) keys.head.toString else keys.mkString("(", ", ", ")"))

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): InFile =
    copy(keys = newChildren.take(keys.size))
}

/** Keeps Spark from evaluating what contains it while it optimizes a plan. */
private[bulkfilter] case object NotPinned extends LeafExpression with Unevaluable {
  override def dataType: DataType = BooleanType
  override def nullable: Boolean = false
}

private[bulkfilter] object InFile {

  /** Those in an expression. */
  def in(e: Expression): Seq[InFile] =
    if (e.containsPattern(INSET)) e.collect { case leaf: InFile => leaf } else Nil
}
