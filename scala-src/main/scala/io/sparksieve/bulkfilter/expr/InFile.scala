// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.expr

import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, LeafExpression, Unevaluable}
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.trees.TreePattern.{INSET, TreePattern}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{BooleanType, DataType}

import io.sparksieve.bulkfilter.load.{FileKeys, ValueSet}
import io.sparksieve.common.MembershipPredicate
import io.sparksieve.conf.SieveConf

/** in_file and in_table, and what they are planned as. */
private[bulkfilter] trait BulkLeaf extends MembershipPredicate {

  override def keepsOrder(conf: SQLConf): Boolean =
    SieveConf.bulkFilterEnabled(conf) && SieveConf.bulkFilterByPoints(conf)

  protected def keySql: String =
    if (keys.size == 1) keys.head.sql else keys.map(_.sql).mkString("(", ", ", ")")
}

/**
 * in_file and in_table in logical plans. [[PlanKeyFiles]] replaces them by [[InKeySet]], whose
 * values are read before the operator processes rows. If Spark evaluates the predicate during
 * planning, for example to prune partitions, the values are read at that time.
 */
private[bulkfilter] final case class InFile(keys: Seq[Expression], members: ValueSet[FileKeys])
    extends BulkLeaf {

  /** Whether the files of the values are known; before that, Spark must not evaluate the leaf. */
  private def isPinned = members.leaves.forall(_.entry.nonEmpty)

  override lazy val children: Seq[Expression] = if (isPinned) keys else keys :+ NotPinned

  override def nullable: Boolean = keys.exists(_.nullable)

  override def foldable: Boolean = false

  override def withoutValues: InFile =
    copy(members = members.map(file => FileKeys(file.source, None)))

  // INSET is rare, so rules skip plans without a leaf quickly, and it has no side effects in Spark.
  // SCALA_UDF, for example, keeps Spark from building a Bloom filter from rows with the predicate.
  override val nodePatterns: Seq[TreePattern] = Seq(INSET)

  @transient private lazy val ready: InKeySet = {
    if (TaskContext.get() != null)
      throw new IllegalStateException(s"$sql was not planned, and cannot read values in a task.")
    InKeySet.loaded(this, SparkSession.active)
  }

  override def eval(input: InternalRow): Any =
    // Spark evaluates filters for NULL inputs while it optimizes; a NULL key needs no values.
    if (keys.size == 1 && keys.head.eval(input) == null) null else ready.eval(input)

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ready.genCode(ctx)

  override def sql: String = ValueSet.sql(members, keySql)

  override def toString: String =
    ValueSet.sql(members, if (keys.size == 1) keys.head.toString else keys.mkString("(", ", ", ")"))

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): InFile =
    copy(keys = newChildren.take(keys.size))
}

/** A child that keeps Spark from evaluating its parent expressions during optimization. */
private[bulkfilter] case object NotPinned extends LeafExpression with Unevaluable {
  override def dataType: DataType = BooleanType
  override def nullable: Boolean = false
}

private[bulkfilter] object InFile {

  /** The leaves in an expression. */
  def in(e: Expression): Seq[InFile] =
    if (e.containsPattern(INSET)) e.collect { case leaf: InFile => leaf } else Nil
}
