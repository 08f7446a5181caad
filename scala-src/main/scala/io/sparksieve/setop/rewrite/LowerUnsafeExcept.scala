// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.StringType

import io.sparksieve.common.{ExactPushdown, Types}
import io.sparksieve.setop.proof.{Branch, Cache, SetOpContext}

/**
 * Keeps Spark's own `ReplaceExceptWithFilter` from giving wrong rows. That rule, which
 * `excludedRules` cannot exclude, maps the right filter to the left side by column '''name''' and
 * compares file relations by root path only. So it is wrong where an alias shadows a column
 * (SPARK-58383), where the filter tells apart -0.0 and 0.0 or strings of a collation, and where
 * files were added between two reads.
 *
 * If Sieve's own proof could not rewrite an EXCEPT, but Spark's rule might, the EXCEPT becomes the
 * anti-join that Spark itself plans for every other EXCEPT a moment later:
 * {{{
 *   l EXCEPT r  ==>  DISTINCT (l LEFT ANTI JOIN r ON l.a <=> r.a AND …)
 * }}}
 * Must run after every other rewrite of EXCEPT. An EXCEPT that refers to an outer query is left
 * alone: Spark pulls such references up through an EXCEPT, but not through this join.
 */
private[setop] object LowerUnsafeExcept extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    // Keep the EXCEPT: Spark's own rule evaluates the condition as a filter, but an anti-join would
    // push it to a source that loses rows by it.
    case e: Except if ReplaceExceptWithNotFilter.holdsWithoutPushdown(e, ctx) => e
    case e: Except if !e.isAll && ctx.conf.replaceExceptWithFilter && mayFire(e, ctx) => lowered(e)
    case _ => plan
  }

  private def lowered(e: Except) = {
    applied(e, "an anti-join, because Spark's own filter rewrite is not proved right here")
    SparksExcept.antiJoin(e)
  }

  /**
   * An EXCEPT whose sides other rewrites have changed, for which Spark plans an anti-join without
   * them; None if it cannot be one already.
   */
  def asWithoutRewrites(e: Except): Option[LogicalPlan] =
    if (isCorrelated(e)) None else Some(lowered(e))

  /**
   * Overestimates where Spark's rule fires: it needs a filter on the right side and, by Spark's own
   * comparison, the same relation on both sides. A false positive costs only a filter rewrite that
   * Sieve has declined.
   */
  private def mayFire(e: Except, ctx: SetOpContext): Boolean =
    !e.isStreaming && !isCorrelated(e) && !ctx.random && !ctx.query.writesNegativeZero && {
      val rights = ctx.query.withDefinitions(e.right)
      rights.exists(_.exists(_.isInstanceOf[Filter])) && mayMove(e, rights, ctx) && {
        val left = ctx.query
          .withDefinitions(e.left)
          .flatMap(_.collectLeaves())
          .map(_.canonicalized)
          .toSet
        rights.exists(_.collectLeaves().exists(leaf => left.contains(leaf.canonicalized)))
      }
    }

  /**
   * Whether the right side may be evaluated on its own, as an anti-join does. Spark's rule evaluates
   * the right filter only for rows that the filters of the left side and those above keep. The
   * sources of the right side must also give the same rows with and without a pushed filter.
   */
  private def mayMove(e: Except, rights: Seq[LogicalPlan], ctx: SetOpContext): Boolean = {
    val conditions = rights.flatMap(_.collect { case Filter(condition, _) => condition })
    val cached = e.exists(ctx.cache(_) != Cache.Miss)
    val sources = new ExactPushdown(e.right, id => ctx.ctes.get(id).map(_.child), cached)
    sources(conditions.map(pushable)) && ctx.query.fallible.findFor(e.right).isEmpty
  }

  /** `condition` without casts of values to strings, which are never pushed to a source. */
  private def pushable(condition: Expression): Expression = condition.transform {
    case c: Cast if c.dataType == StringType && !Types.isString(c.child.dataType) =>
      Literal.create(null, StringType)
  }

  private def isCorrelated(e: Except) = e.exists(_.expressions.exists(Branch.isCorrelated))
}
