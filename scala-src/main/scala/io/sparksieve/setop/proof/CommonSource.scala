// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.SameExpression
import io.sparksieve.common.order.RowOrder
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.files.{ColumnSensitive, PartitionColumns}
import io.sparksieve.setop.proof.same.SameSource

/**
 * Two sides as columns over filters over one plan. The right side's expressions are already in the
 * attributes of the left side's plan.
 *
 * @param left
 *   the left side; `left.plan` is the common plan
 * @param right
 *   the right side, its conditions and outputs over the output of `left.plan`
 */
private[setop] final case class CommonSource(left: Branch, right: Branch) {

  /**
   * The conditions of the right side that the left does not have as well. When an operation tests
   * whether a left row is also on the right, the shared conditions hold already: the row passed
   * them in the left's filter, and is itself the witness.
   */
  def ownRightConditions: Vector[Expression] = without(right.conditions, left.conditions)

  /** The conditions of the left side that the right does not have as well. */
  def ownLeftConditions: Vector[Expression] = without(left.conditions, right.conditions)

  def sameOutputs: Boolean =
    left.outputs.length == right.outputs.length &&
      left.outputs.zip(right.outputs).forall { case (l, r) => SameExpression(l, r) }

  /**
   * Whether both sides need the same columns of the files below the common plan, and the same
   * fields of columns that are read field by field. Partition columns do not count, because no file
   * contains them.
   */
  lazy val sameColumns: Boolean = columns(left) == columns(right)

  /** Whether both sides filter partition columns alike, so that they read the same directories. */
  lazy val sameDirectories: Boolean = {
    def own(b: Branch) = b.conditions.filter(_.references.subsetOf(directories))
    without(own(left), own(right)).isEmpty && without(own(right), own(left)).isEmpty
  }

  private lazy val directories = PartitionColumns(left.plan)

  private def columns(b: Branch): Set[Expression] =
    b.expressions.flatMap(fields(_)).toSet

  private def fields(e: Expression): Seq[Expression] = e match {
    case a: Attribute => if (directories.contains(a)) Nil else Seq(a.canonicalized)
    case GetStructField(_, _, _) | GetArrayStructFields(_, _, _, _, _) => Seq(e.canonicalized)
    case _ => e.children.flatMap(fields(_))
  }

  private def without(conditions: Vector[Expression], known: Vector[Expression]) =
    conditions.filterNot(c => known.exists(SameExpression(_, c)))
}

private[setop] object CommonSource {

  type Proof = Either[Refusal, CommonSource]

  /**
   * With more, the code of one filter may grow beyond the 64 KB that a method may have: Spark then
   * evaluates the stage without generated code, or fails if `spark.sql.codegen.fallback` is false.
   */
  private val MostOperations = 1500

  private val TooLarge = Refusal(
    Reason.TooManyPredicates,
    s"The conditions of the sides together have more than $MostOperations operations.")

  private val NoColumns = Refusal(
    Reason.NotRowDetermined,
    "The sides have no columns; how many rows Spark then returns depends on the operators.")

  /**
   * Finds the highest plan that both sides filter and project, so that everything below it (a
   * view's own filter, a shared join) needs no proof and a cached plan stays whole.
   *
   * @param correlated
   *   the right side is a subquery, whose filters may refer to the outer query
   * @param anySource
   *   also accept sources that yield different rows for different filters
   */
  def of(
      left: LogicalPlan,
      right: LogicalPlan,
      ctx: SetOpContext,
      correlated: Boolean = false,
      anySource: Boolean = false): Proof = {
    // Most operations have different sources, which this check detects cheaply.
    val lowest = SameSource(Branch.lowest(left, ctx), Branch.lowest(right, ctx))
    if (left.isStreaming || right.isStreaming || ctx.query.isGivenBatch) Left(Reason.Streaming)
    else if (ctx.random) Left(Reason.NonDeterministic)
    else if (lowest == Left(Reason.DifferentSource)) Left(Reason.DifferentSource)
    else if (ctx.query.overwritesItsFiles) Left(Reason.OverwrittenSource)
    else {
      val (lefts, leftStop) = Branch.of(left, ctx)
      val (rights, rightStop) = Branch.of(right, ctx, correlated)
      // If the lowest plans do not agree, no higher plans do.
      SameSource(lefts.last.plan, rights.last.plan) match {
        case Left(reason) => Left(leftStop.orElse(rightStop).getOrElse(reason))
        case Right(mapping) =>
          val lowest = CommonSource(lefts.last, inLeftAttributes(rights.last, mapping))
          highest(lefts, rights)
            .toRight(Reason.DifferentSource)
            .flatMap(checked(_, Seq(left, right), ctx, anySource))
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

  private def checked(
      common: CommonSource,
      sides: Seq[LogicalPlan],
      ctx: SetOpContext,
      anySource: Boolean): Proof = {
    lazy val obstacle = Evaluation.obstacle(common, sides, ctx)
    lazy val size = (common.left.conditions ++ common.right.conditions).map(operations).sum
    val source = common.left.plan
    val caches = Seq(common.left.cacheAbove, common.right.cacheAbove)
    if (!source.deterministic || readsSplits(common)) Left(Reason.NonDeterministic)
    else if (sides.forall(_.output.isEmpty)) Left(NoColumns)
    else if (size > MostOperations) Left(TooLarge)
    // Once the source has changed, cached rows and newly read rows may differ.
    else if (caches.contains(Cache.Stale)) Left(Reason.DifferentSnapshot)
    else if (!isReadOnce(caches, source, ctx) && !SameSource.isPinned(source)) {
      Left(Reason.CachedBranch)
    } else if (readsOther(common)) Left(Reason.ColumnSensitiveSource)
    else if (obstacle.nonEmpty) Left(obstacle.get)
    else if (!anySource && !PushdownSensitive.agrees(common, ctx)) {
      Left(Reason.PushdownSensitiveSource)
    } else ctx.query.negativeZero.toLeft(common)
  }

  /** The number of operations that the code of a condition has; a list of constants has one. */
  private def operations(condition: Expression): Int = {
    var count = 0
    condition.foreach(e => if (e.children.nonEmpty) count += 1)
    count
  }

  /** Whether nothing above the source is cached, or only the cached source itself. */
  private def isReadOnce(above: Seq[Cache], source: LogicalPlan, ctx: SetOpContext): Boolean =
    above.forall(_ == Cache.Miss) || ((above :+ ctx.cache(source)).reduce(_.or(_)) match {
      case Cache.Hit(entries) => entries.size == 1 && ctx.cache(source) != Cache.Miss
      case _ => false
    })

  /** Where a file is split depends on how many files the whole scan reads. */
  private def readsSplits(common: CommonSource) =
    Seq(common.left, common.right).exists(_.expressions.exists(RowOrder.readsSplits))

  private def readsOther(common: CommonSource) = ColumnSensitive(common.left.plan) match {
    case ColumnSensitive.Rows => true
    case ColumnSensitive.Errors => !common.sameColumns
    case ColumnSensitive.No => false
  }
}
