package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.StringType

import io.sparksieve.common.{CannotFail, ExactPushdown, Types}

/**
 * Keeps Spark's own `ReplaceExceptWithFilter` from giving wrong rows. That rule, which no conf of
 * `excludedRules` can exclude, maps the right filter to the left side by column '''name''' and
 * compares file relations by root path only, so it is wrong where an alias shadows a column
 * (SPARK-58383), where the filter tells apart -0.0 and 0.0 or strings of a collation, and where
 * files were added between two reads.
 *
 * An EXCEPT that Sieve's own proof could not rewrite, and that Spark's rule might, becomes what
 * Spark makes of every other EXCEPT a moment later:
 * {{{
 *   l EXCEPT r  ==>  DISTINCT (l LEFT ANTI JOIN r ON l.a <=> r.a AND …)
 * }}}
 * Must come after every other rewrite of EXCEPT. One that refers to an outer query stays as it is:
 * Spark pulls such references up through an EXCEPT, and not through this join.
 */
object LowerUnsafeExcept extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    // As a filter Spark's own rule evaluates what an anti-join would give to a source that loses
    // rows by it.
    case e: Except if ReplaceExceptWithNotFilter.holdsWithoutPushdown(e, ctx) => e
    case e @ Except(left, right, false) if ctx.conf.replaceExceptWithFilter && mayFire(e, ctx) =>
      val condition: Seq[Expression] =
        left.output.zip(right.output).map { case (l, r) => EqualNullSafe(l, r) }
      applied(e, "an anti-join, because Spark's own filter rewrite is not proved right here")
      Distinct(Join(left, right, LeftAnti, condition.reduceOption(And(_, _)), JoinHint.NONE))
    case _ => plan
  }

  /**
   * A generous guess: Spark's rule needs a filter on the right and the same relation, in its
   * sense, on both sides. Guessing too often costs nothing but a rewrite that Sieve has declined.
   */
  private def mayFire(e: Except, ctx: SetOpContext): Boolean =
    !e.isStreaming && !isCorrelated(e) && !ctx.random && {
      val rights = expanded(e.right, ctx)
      rights.exists(_.exists(_.isInstanceOf[Filter])) && mayMove(e, rights, ctx) && {
        val left = expanded(e.left, ctx).flatMap(_.collectLeaves()).map(_.canonicalized).toSet
        rights.exists(_.collectLeaves().exists(leaf => left.contains(leaf.canonicalized)))
      }
    }

  /**
   * Whether the right side may be evaluated by itself. Spark's rule evaluates its filter for the rows
   * that the left filter keeps, so if there is one the right side must not be able to fail; and its
   * sources must give the same rows whether they are given a filter or not.
   */
  private def mayMove(e: Except, rights: Seq[LogicalPlan], ctx: SetOpContext): Boolean = {
    val conditions = rights.flatMap(_.collect { case Filter(condition, _) => condition })
    val expressions = rights.flatMap(_.flatMap(_.expressions)).map(Branch.plain)
    val cached = e.exists(ctx.cache(_) != Cache.Miss)
    val sources = new ExactPushdown(e.right, id => ctx.ctes.get(id).map(_.child), cached)
    sources(conditions.map(pushable)) &&
    (!expanded(e.left, ctx).exists(_.exists(_.isInstanceOf[Filter])) || expressions.forall {
      case a: Alias => CannotFail(a.child)
      case other => CannotFail(other)
    })
  }

  /** The condition without what no source is given: a value as text. */
  private def pushable(condition: Expression): Expression = condition.transform {
    case c: Cast if c.dataType == StringType && !Types.isString(c.child.dataType) =>
      Literal.create(null, StringType)
  }

  private def isCorrelated(e: Except) = e.exists(_.expressions.exists(Branch.isCorrelated))

  /** `plan` and the WITH definitions that it reads. */
  private def expanded(plan: LogicalPlan, ctx: SetOpContext): Seq[LogicalPlan] = {
    val definitions = plan.collectLeaves().flatMap {
      case ref: CTERelationRef => ctx.ctes.get(ref.cteId)
      case _ => None
    }
    // A recursive definition refers to itself.
    val others =
      new SetOpContext(ctx.conf, ctx.cache, ctx.ctes.values.filterNot(definitions.contains).toSeq)
    plan +: definitions.flatMap(d => expanded(d.child, others))
  }
}
