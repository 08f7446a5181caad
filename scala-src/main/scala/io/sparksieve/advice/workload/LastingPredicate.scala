// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.{ObjectType, UserDefinedType}

import io.sparksieve.common.MembershipPredicate
import io.sparksieve.report.core.PredicateText

/**
 * A predicate in a form that may be kept for long. A function of a user can refer to objects of any
 * size, to broadcasts and to sessions; a predicate with such a function is kept as its text.
 */
private[workload] object LastingPredicate {

  def apply(predicate: Expression): Expression = {
    val lasting = predicate.transform { case m: MembershipPredicate => m.withoutValues }
    if (lasting.exists(!isPlain(_)))
      TextOfPredicate(PredicateText(predicate), predicate.references.toSeq)
    else lasting
  }

  /** Whether the node alone refers only to constants and columns. */
  private def isPlain(node: Expression): Boolean = node match {
    case _: UserDefinedExpression => false
    case Literal(_, _: ObjectType | _: UserDefinedType[_]) => false
    case other =>
      val name = other.getClass.getName
      !name.startsWith(Objects) && Packages.exists(name.startsWith(_))
  }

  private val Packages = Seq("org.apache.spark.sql.catalyst.expressions.", "io.sparksieve.")

  // They call methods of any object.
  private val Objects = "org.apache.spark.sql.catalyst.expressions.objects."
}

/** A predicate that is known only by its text and its columns. */
private[workload] final case class TextOfPredicate(text: String, columns: Seq[Expression])
    extends Predicate
    with Unevaluable {

  override def children: Seq[Expression] = columns

  override def nullable: Boolean = true

  override def sql: String = text

  override def toString: String = text

  override protected def withNewChildrenInternal(
      newChildren: IndexedSeq[Expression]): TextOfPredicate =
    copy(columns = newChildren)
}
