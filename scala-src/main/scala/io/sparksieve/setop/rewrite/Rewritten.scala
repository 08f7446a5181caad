// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.AliasIdentifier
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, SubqueryAlias}

/**
 * A rewritten operator that Spark's cache takes for what it was. Spark looks up cached queries by
 * canonical form, after the rewrites: `plan` has the canonical form of `original`, and what Spark
 * searches within cached plans, when a table or view changes, is searched in `original`.
 *
 * An alias, because Spark's optimizer first of all puts what is below an alias in its place.
 *
 * @param plan
 *   the rewritten operator; its output has the attributes of that of `original`
 * @param original
 *   the operator before it was rewritten; its children may have been rewritten
 */
private[sparksieve] final class Rewritten(
    name: AliasIdentifier,
    plan: LogicalPlan,
    val original: LogicalPlan)
    extends SubqueryAlias(name, plan) {

  override def output: Seq[Attribute] = plan.output

  override def doCanonicalize(): LogicalPlan = original.canonicalized

  override def find(f: LogicalPlan => Boolean): Option[LogicalPlan] =
    if (f(this)) Some(this) else original.find(f)

  override def exists(f: LogicalPlan => Boolean): Boolean = f(this) || original.exists(f)

  override def nodeName: String = "Rewritten"

  override def otherCopyArgs: Seq[AnyRef] = Seq(original)

  override def withNewChildInternal(child: LogicalPlan): SubqueryAlias =
    new Rewritten(name, child, original)
}

private[sparksieve] object Rewritten {

  private val Name = AliasIdentifier("sieve")

  def apply(plan: LogicalPlan, original: LogicalPlan): Rewritten =
    new Rewritten(Name, plan, original)

  /** The rewritten operator itself, or `plan` if it was not rewritten. */
  def form(plan: LogicalPlan): LogicalPlan = plan match {
    case r: Rewritten => form(r.child)
    case _ => plan
  }

  /** `plan` as Spark's optimizer sees it. */
  def forms(plan: LogicalPlan): LogicalPlan = plan.transformUp { case r: Rewritten => r.child }
}
