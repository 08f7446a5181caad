// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._

/** Finds expressions that are NULL if what they are computed from is NULL. */
private[sparksieve] object NullForNull extends PredicateHelper {

  /** Whether `e` is NULL wherever an expression in it, other than a literal, is NULL. */
  def apply(e: Expression): Boolean = e match {
    case _: Literal => true
    case _ => itself(e) && e.children.forall(apply)
  }

  /**
   * Whether `e` itself, apart from its children, is NULL wherever one of them is NULL. An expression
   * that takes only children of some class, such as a lambda, is not.
   */
  def itself(e: Expression): Boolean = Try(e.mapChildren { child =>
    AttributeReference("child", child.dataType, child.nullable)()
  }).toOption.exists(isNullIntolerant)
}
