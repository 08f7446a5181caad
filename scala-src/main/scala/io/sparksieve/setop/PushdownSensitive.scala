package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.{ExactPushdown, NotPushed}

/**
 * Sources that yield other rows if they are given a filter than if the filter follows them: see
 * [[ExactPushdown]] for which, and why. Without Sieve each side's scan is given that side's filter;
 * a rewrite gives one scan another. The rows are the same only if neither makes a difference.
 */
object PushdownSensitive {

  /** What is known of the sources of the common plan. */
  def sources(common: CommonSource, ctx: SetOpContext): ExactPushdown = {
    val sides = Seq(common.left, common.right)
    val cached = sides.exists(_.cacheAbove != Cache.Miss) ||
      sides.exists(_.plan.exists(ctx.cache(_) != Cache.Miss))
    new ExactPushdown(common.left.plan, id => ctx.ctes.get(id).map(_.child), cached)
  }

  /** Whether the conditions that only one side has make no difference to what the sources yield. */
  def agrees(common: CommonSource, ctx: SetOpContext): Boolean =
    sources(common, ctx)(common.ownLeftConditions ++ common.ownRightConditions)

  /** Whether it makes no difference that Spark gives `k IS NOT NULL` to a join's sides. */
  def agreesOnKeys(common: CommonSource, keys: Seq[Expression], ctx: SetOpContext): Boolean =
    sources(common, ctx)(keys.map(IsNotNull(_)))

  /**
   * `values`, given by `outputs` over the common plan, such that a filter from above that would
   * lose rows of the sources is not given to them. Spark gives such a filter to the left side of an
   * operation alone; where a rewrite counts the right side's rows below it, or keeps those, they
   * must not be lost.
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
