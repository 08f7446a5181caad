// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.analysis.MultiInstanceRelation
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.NotPushed
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  Branch,
  Cache,
  CommonSource,
  Pruning,
  PushdownSensitive,
  SetOpContext,
  Truth
}
import io.sparksieve.setop.proof.files.ColumnSensitive

/**
 * One scan of the common source that yields the rows of both sides.
 *
 * @param plan
 *   the source under the filter `f_L OR f_R`
 * @param outputs
 *   the compared columns over `plan`
 * @param left
 *   the conjuncts of the left side over `plan`
 * @param right
 *   the conjuncts of the right side over `plan`
 */
private[rewrite] final case class MergedScan(
    plan: LogicalPlan,
    outputs: Vector[Expression],
    left: Vector[Expression],
    right: Vector[Expression])

private[rewrite] object MergedScan {

  /** Left if one scan would read more than two, could differ from them, or cannot be built. */
  def of(common: CommonSource, ctx: SetOpContext): Either[Refusal, MergedScan] = {
    lazy val sources = PushdownSensitive.sources(common, ctx)
    val caches = Seq(common.left.cacheAbove, common.right.cacheAbove)
    if (caches.exists(_ != Cache.Miss)) Left(Reason.CachedBranch)
    // The right side uses a metadata column that the left's instance of the relation lacks.
    else if (!references(common.right).subsetOf(common.left.plan.outputSet)) {
      Left(Reason.DifferentProjection)
    } else if (!sources(common.left.conditions ++ common.right.conditions)) {
      Left(Reason.PushdownSensitiveSource)
    }
    // A side's own filter may skip, unread, a line on which the merged scan would fail.
    else if (ColumnSensitive(common.left.plan) != ColumnSensitive.No) {
      Left(Reason.ColumnSensitiveSource)
    } else if (!Pruning.survives(common, sources.skips)) Left(Reason.PruningLost)
    // A column whose type has changed may be readable in some directories only.
    else if (!common.sameColumns && !common.sameDirectories) Left(Reason.ColumnSensitiveSource)
    else {
      instance(common).map { case (source, attributes) =>
        def here(e: Expression) = Branch.substitute(e, attributes)
        val left = common.left.conditions.map(here)
        val right = common.right.conditions.map(here)
        val filtered = condition(left, right).map(Filter(_, source)).getOrElse(source)
        MergedScan(filtered, common.left.outputs.map(here), left, right)
      }
    }
  }

  private def references(side: Branch) =
    AttributeSet.fromAttributeSets(side.expressions.map(_.references))

  /** The source, with new attributes if other parts of the query may read this instance too. */
  private def instance(
      common: CommonSource): Either[Refusal, (LogicalPlan, AttributeMap[Attribute])] =
    common.left.plan match {
      case plan if !common.left.insideCte => Right((plan, AttributeMap.empty[Attribute]))
      case leaf: LogicalPlan with MultiInstanceRelation =>
        val copy = leaf.newInstance()
        Right((copy, AttributeMap(leaf.output.zip(copy.output))))
      case _ => Left(Reason.CteBoundary)
    }

  /** `f_L OR f_R`; None if every row passes. */
  private def condition(left: Vector[Expression], right: Vector[Expression]): Option[Expression] =
    if (left.isEmpty || right.isEmpty) None
    else {
      val either = Or(Truth.asWritten(left), Truth.asWritten(right))
      // A data source accepts an OR only as a whole, so add an OR of what it accepts.
      val skippable = for {
        l <- Some(left.filter(Pruning.isOffered)) if l.nonEmpty
        r <- Some(right.filter(Pruning.isOffered)) if r.nonEmpty
        if l.length < left.length || r.length < right.length
      } yield {
        val offered = Or(l.reduce(And(_, _)), r.reduce(And(_, _)))
        // If Spark saw that a side is in both, it would make one OR of the two, of which the data
        // source accepts nothing.
        val isWhole = l.length == left.length || r.length == right.length
        And(offered, if (isWhole) NotPushed(either) else either)
      }
      Some(skippable.getOrElse(either))
    }
}
