package io.sparksieve.setop

import org.apache.spark.sql.catalyst.analysis.DeduplicateRelations
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Join, JoinHint, LogicalPlan, Project}
import org.apache.spark.sql.types.{DoubleType, FloatType}

import io.sparksieve.common.SetEquality
import io.sparksieve.report.Reason

/**
 * Spark answers EXCEPT ALL and INTERSECT ALL from an aggregation, which turns -0.0 into 0.0 and
 * every NaN into one. A rewrite that keeps the rows as they were read must do the same.
 */
object MergedFloats {

  /** Why `output` cannot be normalised, if it cannot. */
  def obstacle(output: Seq[Attribute]): Option[Reason] =
    if (output.exists(a => SetEquality.merges(a.dataType) && !isFloat(a))) {
      Some(Reason.MergedValues)
    } else None

  /** `plan` with its floats normalised, under the same ids; `plan` itself if it has none. */
  def normalised(plan: LogicalPlan): LogicalPlan =
    if (!plan.output.exists(isFloat)) plan
    else {
      val below = underNewIds(plan)
      val values = below.output.map { a =>
        if (isFloat(a)) KnownFloatingPointNormalized(NormalizeNaNAndZero(a)) else a
      }
      Project(NamedOutputs(plan.output, values), below)
    }

  /** An id stands for one value in a plan: what is normalised may not keep the id it had before. */
  private def underNewIds(plan: LogicalPlan): LogicalPlan =
    DeduplicateRelations(Join(plan, plan, Inner, None, JoinHint.NONE)) match {
      case Join(_, copy, _, _, _) => copy
      case _ => plan
    }

  private def isFloat(a: Attribute) = a.dataType == FloatType || a.dataType == DoubleType
}
