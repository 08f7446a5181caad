// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.unsafe.types.UTF8String

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
      mayBePushed(c) && !isOffered(c) && !c.references.subsetOf(partitionColumns)
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
    // Spark makes a comparison or a test of a prefix of it.
    case Like(column, pattern, _) =>
      isColumn(column) && text(pattern).exists(!_.stripSuffix("%").contains('%'))
    case _ => false
  }

  /**
   * Whether Spark may give data sources a condition, or a part of it, maybe in another form. For
   * parts and ends of strings a source has dictionaries at best, which are no help in an OR with a
   * condition for which it has bounds.
   */
  private def mayBePushed(condition: Expression): Boolean =
    isPushable(condition) || condition.exists {
      // Spark compares the column itself if it can.
      case c: BinaryComparison => columnAgainstLiteral(uncast(c.left), uncast(c.right))
      case In(value, list) => isColumn(uncast(value)) && list.forall(_.foldable)
      case InSet(value, _) => isColumn(uncast(value))
      case Contains(column, part) => isColumn(column) && part.foldable
      case EndsWith(column, suffix) => isColumn(column) && suffix.foldable
      case Like(column, pattern, _) => isColumn(column) && text(pattern).nonEmpty
      case _ => false
    }

  private def uncast(e: Expression): Expression = e match {
    case c: Cast => uncast(c.child)
    case other => other
  }

  /** A pattern of texts and `%`; None if it has other special characters. */
  private def text(pattern: Expression): Option[String] = pattern match {
    case Literal(text: UTF8String, _) =>
      Some(text.toString).filterNot(_.exists(c => c == '_' || c == '\\'))
    case _ => None
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
      else if (mayBePushed(c)) Some(RowGroups)
      else None
    }.toSet
}
