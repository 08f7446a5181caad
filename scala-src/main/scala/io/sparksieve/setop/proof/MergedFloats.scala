// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.analysis.DeduplicateRelations
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Join, JoinHint, LogicalPlan, Project}

import io.sparksieve.common.{SetEquality, Types}
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Normalises floats as Spark does for EXCEPT ALL and INTERSECT ALL. Spark plans both as an
 * aggregation, which turns -0.0 into 0.0 and all NaNs into one NaN. A rewrite that keeps the rows
 * as they were read must do the same.
 */
private[setop] object MergedFloats {

  /**
   * The reason why `output` cannot be normalised, if there is one: a column merges values and is
   * not a top-level float.
   */
  def obstacle(output: Seq[Attribute]): Option[Refusal] =
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

  /**
   * A copy of `plan` with new expression ids. An id identifies one value in a plan, so a normalised
   * column cannot share the id of its input.
   */
  private def underNewIds(plan: LogicalPlan): LogicalPlan =
    DeduplicateRelations(Join(plan, plan, Inner, None, JoinHint.NONE)) match {
      case Join(_, copy, _, _, _) => copy
      case _ => plan
    }

  private def isFloat(a: Attribute) = Types.isFloat(a.dataType)
}
