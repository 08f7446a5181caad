// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Cast,
  Coalesce,
  CommonExpressionRef,
  Expression,
  GetStructField,
  Literal,
  With
}
import org.apache.spark.sql.catalyst.trees.TreePattern.WITH_EXPRESSION

/**
 * Inlines `With` expressions. BETWEEN and similar expressions use an operand more than once; Spark
 * keeps the operand as a common expression until its optimizer has started.
 */
private[proof] object CommonExpressions {

  /**
   * `e` with each reference to a common expression replaced by its definition. A `With` that has
   * an expensive definition stays as it is.
   */
  def inlined(e: Expression): Expression =
    e.transformUpWithPruning(_.containsPattern(WITH_EXPRESSION)) {
      case w: With if w.defs.forall(d => isCheap(d.child)) =>
        val children = w.defs.map(d => d.id -> d.child).toMap
        w.child.transform { case ref: CommonExpressionRef => children.getOrElse(ref.id, ref) }
    }

  private def isCheap(e: Expression): Boolean = e match {
    case _: Attribute | _: Literal => true
    case GetStructField(child, _, _) => isCheap(child)
    case c: Cast => isCheap(c.child)
    case Coalesce(children) => children.forall(isCheap)
    case _ => false
  }
}
