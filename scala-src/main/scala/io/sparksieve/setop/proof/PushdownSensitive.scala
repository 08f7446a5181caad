// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{ExactPushdown, NotPushed}

/**
 * Guards against sources that yield different rows when a filter is pushed to them than when Spark
 * evaluates the filter above the scan: see [[ExactPushdown]] for which sources, and why. Without
 * Sieve each side's scan gets that side's filter; after a rewrite one scan gets another filter. The
 * rows are the same only if neither filter makes a difference.
 */
private[setop] object PushdownSensitive {

  /** How the sources of the common plan handle pushed filters. */
  def sources(common: CommonSource, ctx: SetOpContext): ExactPushdown = {
    val sides = Seq(common.left, common.right)
    val cached = sides.exists(_.cacheAbove != Cache.Miss) ||
      sides.exists(_.plan.exists(ctx.cache(_) != Cache.Miss))
    new ExactPushdown(common.left.plan, id => ctx.ctes.get(id).map(_.child), cached)
  }

  /** Whether pushing the conditions that only one side has leaves the sources' rows unchanged. */
  def agrees(common: CommonSource, ctx: SetOpContext): Boolean =
    sources(common, ctx)(common.ownLeftConditions ++ common.ownRightConditions)

  /** Whether the sources yield the same rows if Spark pushes `k IS NOT NULL` to a join's sides. */
  def agreesOnKeys(common: CommonSource, keys: Seq[Expression], ctx: SetOpContext): Boolean =
    sources(common, ctx)(keys.map(IsNotNull(_)))

  /**
   * Wraps `values` in [[NotPushed]] where a filter from above, if pushed to the sources, would lose
   * rows. `outputs` are the expressions over the common plan that compute `values`. Without a
   * rewrite, Spark pushes such a filter only to the left side of an operation. Where a rewrite
   * counts the right side's rows below the filter, or keeps the right side's rows, these rows must
   * not be lost.
   */
  def shielded(
      common: CommonSource,
      outputs: Seq[Expression],
      values: Seq[Expression],
      ctx: SetOpContext): Seq[Expression] = {
    lazy val known = sources(common, ctx)
    outputs.zip(values).map { case (output, value) =>
      if (known.anyFilter(output.references.toSeq)) value else NotPushed(value)
    }
  }
}
