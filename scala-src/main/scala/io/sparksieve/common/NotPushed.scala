package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Expression, TaggingExpression}

/**
 * Its child as it is, in a form that no data source is given: a filter that the optimizer moves
 * below it stays above the scan, for such columns of which not every filter is exact
 * ([[ExactPushdown]]).
 */
final case class NotPushed(child: Expression) extends TaggingExpression {
  override protected def withNewChildInternal(newChild: Expression): NotPushed =
    copy(child = newChild)
}
