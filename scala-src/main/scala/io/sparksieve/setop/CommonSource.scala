package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.SameExpression
import io.sparksieve.report.Reason

/**
 * Two sides seen as columns over filters over one and the same plan, the right side's expressions
 * already in the attributes of the left's.
 *
 * @param left
 *   the left side; `left.plan` is the common plan
 * @param right
 *   the right side, its conditions and outputs over the output of `left.plan`
 */
final case class CommonSource(left: Branch, right: Branch) {

  /**
   * The conditions of the right side that the left does not have as well. Where an operation asks
   * whether a row of the left is also on the right, the shared ones hold already: the row that
   * passed the left's filter is itself the witness.
   */
  def ownRightConditions: Vector[Expression] = without(right.conditions, left.conditions)

  /** The conditions of the left side that the right does not have as well. */
  def ownLeftConditions: Vector[Expression] = without(left.conditions, right.conditions)

  def sameOutputs: Boolean =
    left.outputs.length == right.outputs.length &&
      left.outputs.zip(right.outputs).forall { case (l, r) => SameExpression(l, r) }

  /** Whether both sides need the same columns of the common plan. */
  def sameColumns: Boolean = columns(left) == columns(right)

  private def columns(b: Branch) = AttributeSet(b.conditions ++ b.outputs)

  private def without(conditions: Vector[Expression], known: Vector[Expression]) =
    conditions.filterNot(c => known.exists(SameExpression(_, c)))
}

object CommonSource {

  type Proof = Either[Reason, CommonSource]

  /**
   * Finds the highest plan that both sides filter and project, so that whatever stands below it
   * (a view's own filter, a shared join) needs no proof and a cached plan stays whole.
   *
   * @param correlated
   *   the right side is a subquery, whose filters may refer to the outer query
   * @param anySource
   *   also from a source that yields other rows if it is given other filters
   */
  def of(
      left: LogicalPlan,
      right: LogicalPlan,
      ctx: SetOpContext,
      correlated: Boolean = false,
      anySource: Boolean = false): Proof = {
    // Most operations are between different sources, and this is cheap to see.
    val lowest = SameSource(Branch.lowest(left, ctx), Branch.lowest(right, ctx))
    if (left.isStreaming || right.isStreaming) Left(Reason.Streaming)
    else if (ctx.random) Left(Reason.NonDeterministic)
    else if (lowest == Left(Reason.DifferentSource)) Left(Reason.DifferentSource)
    else {
      val (lefts, leftStop) = Branch.of(left, ctx)
      val (rights, rightStop) = Branch.of(right, ctx, correlated)
      // If the lowest views do not agree, no higher ones do.
      SameSource(lefts.last.plan, rights.last.plan) match {
        case Left(reason) => Left(leftStop.orElse(rightStop).getOrElse(reason))
        case Right(mapping) =>
          val lowest = CommonSource(lefts.last, inLeftAttributes(rights.last, mapping))
          highest(lefts, rights)
            .toRight(Reason.DifferentSource)
            .flatMap(checked(_, ctx, anySource))
            .flatMap { common =>
              Exactness.obstacle(lowest).toLeft(common)
            }
      }
    }
  }

  private def highest(lefts: Vector[Branch], rights: Vector[Branch]): Option[CommonSource] = {
    val pairs = for {
      l <- lefts.iterator
      r <- rights.iterator
      mapping <- SameSource(l.plan, r.plan).toOption.iterator
    } yield CommonSource(l, inLeftAttributes(r, mapping))
    if (pairs.hasNext) Some(pairs.next()) else None
  }

  private def inLeftAttributes(right: Branch, mapping: AttributeMap[Attribute]): Branch =
    right.copy(
      conditions = right.conditions.map(Branch.substitute(_, mapping)),
      outputs = right.outputs.map(Branch.substitute(_, mapping)))

  private def checked(common: CommonSource, ctx: SetOpContext, anySource: Boolean): Proof = {
    lazy val obstacle = Evaluation.obstacle(common)
    val source = common.left.plan
    val caches = Seq(common.left.cacheAbove, common.right.cacheAbove)
    if (!source.deterministic) Left(Reason.NonDeterministic)
    // What is cached and what would be read now may differ once the source has changed.
    else if (caches.contains(Cache.Stale)) Left(Reason.DifferentSnapshot)
    else if (!isReadOnce(caches, source, ctx) && !SameSource.isPinned(source)) {
      Left(Reason.CachedBranch)
    } else if (readsOther(common)) Left(Reason.ColumnSensitiveSource)
    else if (obstacle.nonEmpty) Left(obstacle.get)
    else if (!anySource && !PushdownSensitive.agrees(common, ctx)) {
      Left(Reason.PushdownSensitiveSource)
    } else Right(Evaluation.ordered(common))
  }

  /** Whether what is cached above the source, if anything, is the cached source itself. */
  private def isReadOnce(above: Seq[Cache], source: LogicalPlan, ctx: SetOpContext): Boolean =
    above.forall(_ == Cache.Miss) || ((above :+ ctx.cache(source)).reduce(_.or(_)) match {
      case Cache.Hit(entries) => entries.size == 1 && ctx.cache(source) != Cache.Miss
      case _ => false
    })

  private def readsOther(common: CommonSource) = ColumnSensitive(common.left.plan) match {
    case ColumnSensitive.Rows => true
    case ColumnSensitive.Errors => !common.sameColumns
    case ColumnSensitive.No => false
  }
}
