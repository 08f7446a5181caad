// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.catalyst.expressions.{Expression, TaggingExpression}

/**
 * Returns the value of its child, in a form that Spark pushes to no data source. A filter that the
 * optimizer moves below this expression therefore stays above the scan. Used for columns on which
 * not every filter is exact ([[ExactPushdown]]).
 */
private[sparksieve] final case class NotPushed(child: Expression) extends TaggingExpression {
  override protected def withNewChildInternal(newChild: Expression): NotPushed =
    copy(child = newChild)
}
