// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.connector.read.SupportsReportStatistics
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Implicits._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

import io.sparksieve.common.SetEquality
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.setop.proof.{
  CommonSource,
  Evaluation,
  NamedOutputs,
  PushdownSensitive,
  SetOpContext,
  Truth
}

/**
 * EXCEPT and INTERSECT between filtered copies of one source whose filters are '''not''' functions
 * of the compared columns become one scan and one aggregation that counts the rows of each side:
 * {{{
 *   SELECT a FROM t WHERE f_L(b) EXCEPT SELECT a FROM t WHERE f_R(b)
 *   ==>  SELECT a FROM (
 *          SELECT a, count_if(f_L) AS l, count_if(f_R) AS r FROM t WHERE f_L OR f_R GROUP BY a)
 *        WHERE l > 0 AND r = 0
 * }}}
 * INTERSECT keeps `l > 0 AND r > 0`; the ALL forms repeat each row `l - r` or `min(l, r)` times.
 *
 * Preconditions:
 *   1. both sides read the same rows ([[CommonSource]]) and compute the same columns;
 *   1. no output column merges values other than floats, for example strings of a collation (the
 *      row that represents a group must come from the left);
 *   1. no side of an ALL form removes duplicates;
 *   1. no expression of either side may fail ([[Evaluation]]);
 *   1. one scan skips at least as much as two ([[Pruning]]), and no side is cached by itself;
 *   1. the source has at least `spark.sieve.setop.counting.minScanBytes` bytes.
 */
private[sparksieve] object ReplaceSetOpWithCounts extends SetOpRewrite {

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case Except(left, right, isAll) =>
      def kept(l: Attribute, r: Attribute) =
        if (isAll) Left(Subtract(l, r)) else Right(And(positive(l), EqualTo(r, Literal(0L))))
      settle(plan, counted(left, right, isAll, ctx)(kept))(Detail)
    case Intersect(left, right, isAll) =>
      def kept(l: Attribute, r: Attribute) =
        if (isAll) Left(Least(Seq(l, r))) else Right(And(positive(l), positive(r)))
      settle(plan, counted(left, right, isAll, ctx)(kept))(Detail)
    case _ => plan
  }

  private val Detail = "one scan that counts both sides"

  private def positive(count: Expression) = GreaterThan(count, Literal(0L))

  private def counted(left: LogicalPlan, right: LogicalPlan, isAll: Boolean, ctx: SetOpContext)(
      kept: (Attribute, Attribute) => Either[Expression, Expression])
      : Either[Refusal, LogicalPlan] =
    CommonSource.of(left, right, ctx).flatMap { common =>
      val distinct = common.left.removesDuplicates || common.right.removesDuplicates
      val types = left.output.map(_.dataType)
      if (!ctx.conf.getConf(SieveConf.SETOP_COUNTING_ENABLED)) Left(Reason.CountingOff)
      else if (!common.sameOutputs) Left(Reason.DifferentProjection)
      else if (isAll && distinct) Left(Reason.DistinctBranch)
      else if (!types.forall(SetEquality.mergesFloatsOnly)) Left(Reason.MergedValues)
      else {
        for {
          _ <- Evaluation.cannotFail(common)
          _ <- if (belowGate(common.left.plan, ctx)) Left(Reason.BelowGate) else Right(())
          scan <- MergedScan.of(common, ctx)
        } yield {
          val values =
            PushdownSensitive.shielded(common, common.left.outputs, scan.outputs, ctx)
          aggregated(left.output, scan.copy(outputs = values.toVector), kept)
        }
      }
    }

  private def belowGate(source: LogicalPlan, ctx: SetOpContext) = {
    val gate = SieveConf.countingMinScanBytes(ctx.conf)
    gate > 0 && source.collectLeaves().map(bytes(_, ctx)).sum < gate
  }

  private def bytes(leaf: LogicalPlan, ctx: SetOpContext): BigInt = leaf match {
    // A DSv2 relation has no statistics until Spark has built its scan, which happens much later.
    case r: DataSourceV2Relation =>
      r.table.asReadable.newScanBuilder(r.options).build() match {
        case scan: SupportsReportStatistics =>
          BigInt(scan.estimateStatistics().sizeInBytes.orElse(ctx.conf.defaultSizeInBytes))
        case _ => ctx.conf.defaultSizeInBytes
      }
    case other => other.stats.sizeInBytes
  }

  private def aggregated(
      output: Seq[Attribute],
      scan: MergedScan,
      kept: (Attribute, Attribute) => Either[Expression, Expression]): LogicalPlan = {
    val (l, r) = (flag(scan.left, "l"), flag(scan.right, "r"))
    val values = output.zip(scan.outputs).map {
      case (_, column: Attribute) => column
      case (a, value) => Alias(value, a.name)()
    }
    val rows = Project(values ++ Seq(l, r), scan.plan)
    val columns = rows.output.take(output.length)
    val (countLeft, countRight) = (count(l.toAttribute, "l"), count(r.toAttribute, "r"))
    val groups = Aggregate(columns, columns ++ Seq(countLeft, countRight), rows)
    kept(countLeft.toAttribute, countRight.toAttribute) match {
      case Right(condition) => Project(NamedOutputs(output, columns), Filter(condition, groups))
      case Left(times) =>
        val copies = Alias(times, "copies")()
        val counts = Project(columns :+ copies, groups)
        val repeated = Generate(
          ReplicateRows(copies.toAttribute +: columns),
          unrequiredChildIndex = Nil,
          outer = false,
          qualifier = None,
          generatorOutput = columns.map(_.newInstance()),
          child = Filter(positive(copies.toAttribute), counts)
        )
        Project(NamedOutputs(output, repeated.generatorOutput), repeated)
    }
  }

  private def flag(conditions: Seq[Expression], name: String) =
    Alias(Truth.isTrue(conditions), name)()

  private def count(flag: Attribute, name: String): Alias = {
    val counted = If(flag, Literal(1), Literal(null, Literal(1).dataType))
    Alias(AggregateExpression(Count(Seq(counted)), aggregate.Complete, isDistinct = false), name)()
  }
}
