// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LeafNode, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule

/**
 * Records plans after operator optimization and before Spark pushes filters to sources. If a DSv2
 * source evaluates a filter fully, the plan no longer contains that filter afterwards. The rule
 * changes no plan, and costs one thread-local read unless a caller is [[recording]] on the thread.
 */
private[sparksieve] object BeforePushdown extends Rule[LogicalPlan] {

  private val current = new ThreadLocal[ArrayBuffer[LogicalPlan]]

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val seen = current.get
    if (seen != null) seen += plan
    plan
  }

  /** Runs `body`, which plans a query, and returns its value with the plans that this rule saw. */
  def recording[T](body: => T): (T, Seq[LogicalPlan]) = {
    val outer = current.get
    val seen = ArrayBuffer.empty[LogicalPlan]
    current.set(seen)
    try {
      val value = body
      (value, seen.toVector)
    } finally {
      if (outer == null) current.remove() else current.set(outer)
    }
  }
}

/** The predicates directly above the relations of recorded plans. */
private[sparksieve] final class Offered(plans: Seq[LogicalPlan])
    extends AliasHelper
    with PredicateHelper {

  private val byColumn: Map[ExprId, Seq[Expression]] = {
    val found = ArrayBuffer.empty[(ExprId, Seq[Expression])]
    def visit(plan: LogicalPlan, above: Seq[Expression]): Unit = plan match {
      case Filter(condition, child) =>
        visit(child, splitConjunctivePredicates(condition) ++ above)
      case p: Project if p.deterministic =>
        visit(p.child, above.map(replaceAlias(_, getAliasMap(p))))
      case leaf: LeafNode =>
        if (above.nonEmpty) found ++= leaf.output.map(_.exprId -> above)
      case other => other.children.foreach(visit(_, Nil))
    }
    plans.foreach(visit(_, Nil))
    // The first occurrence of a column wins: later ones are copies that rules made of its relation.
    found.reverse.toMap
  }

  /** @param columns the columns of the relation, whether they are read or not */
  def apply(columns: Seq[Attribute]): Seq[Expression] =
    columns.headOption.flatMap(c => byColumn.get(c.exprId)).getOrElse(Nil)
}
