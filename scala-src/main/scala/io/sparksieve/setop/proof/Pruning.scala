// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.ExactPushdown
import io.sparksieve.setop.proof.files.PartitionColumns

/**
 * Checks that a scan with `f_L OR f_R` can still skip the data that the two scans skip. If one side
 * is limited by partitions alone and the other by row-group statistics alone, neither helps the
 * combined filter, and one scan may read far more than two.
 */
private[sparksieve] object Pruning {

  private sealed trait Kind
  private case object Partitions extends Kind
  private case object RowGroups extends Kind

  /**
   * True if one side reads everything anyway, or if both sides skip by the same means and their
   * conditions are still pushed to the source.
   *
   * @param skips
   *   whether the source uses a filter to skip data before it reads a row
   */
  def survives(common: CommonSource, skips: Boolean): Boolean = {
    val partitionColumns = PartitionColumns(common.left.plan)
    val left = kinds(common.left.conditions, partitionColumns)
    val right = kinds(common.right.conditions, partitionColumns)
    val hidden = (common.left.conditions ++ common.right.conditions).exists { c =>
      isPushable(c) && !isOffered(c) && !c.references.subsetOf(partitionColumns)
    }
    left.isEmpty || right.isEmpty || (left == right && !(skips && hidden))
  }

  /** Whether [[Truth]] leaves a condition in a form that data sources accept. */
  def isOffered(condition: Expression): Boolean =
    isPushable(condition) && ExactPushdown.anywhere(condition)

  /** Whether data sources can evaluate a condition against statistics. */
  def isPushable(condition: Expression): Boolean = condition match {
    case And(l, r) => isPushable(l) && isPushable(r)
    case Or(l, r) => isPushable(l) && isPushable(r)
    case Not(c) => isPushable(c)
    case c: BinaryComparison => columnAgainstLiteral(c.left, c.right)
    case In(column, list) => isColumn(column) && list.forall(_.foldable)
    case InSet(column, _) => isColumn(column)
    case IsNull(column) => isColumn(column)
    case IsNotNull(column) => isColumn(column)
    case StartsWith(column, prefix) => isColumn(column) && prefix.foldable
    case _ => false
  }

  private def columnAgainstLiteral(l: Expression, r: Expression) =
    (isColumn(l) && r.foldable) || (isColumn(r) && l.foldable)

  private def isColumn(e: Expression): Boolean = e match {
    case _: Attribute => true
    case GetStructField(child, _, _) => isColumn(child)
    case _ => false
  }

  private def kinds(conditions: Seq[Expression], partitionColumns: AttributeSet): Set[Kind] =
    conditions.flatMap { c =>
      if (c.references.nonEmpty && c.references.subsetOf(partitionColumns)) Some(Partitions)
      else if (isPushable(c)) Some(RowGroups)
      else None
    }.toSet
}
