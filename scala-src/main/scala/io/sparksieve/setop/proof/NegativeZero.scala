// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Alias, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

import io.sparksieve.common.Types
import io.sparksieve.report.core.{Reason, Refusal}

/**
 * Finds columns with the constant -0.0. DISTINCT, UNION and EXCEPT make 0.0 of the -0.0 of a column,
 * but keep the constant where they see that it is one (Spark drops constants from what is grouped),
 * which another plan changes.
 */
private[setop] object NegativeZero {

  val InColumn: Refusal =
    Refusal(Reason.MergedValues, "A column is the constant -0.0, which DISTINCT may keep or not.")

  def isColumnIn(plan: LogicalPlan): Boolean = plan
    .collectWithSubqueries { case operator => operator.expressions }
    .exists(_.exists(_.exists {
      case Alias(child, _) => child.exists(isConstant)
      case _ => false
    }))

  private def isConstant(e: Expression) =
    e.foldable && Types.isFloat(e.dataType) && (Try(e.eval()).toOption match {
      case Some(d: Double) => d == 0 && 1 / d < 0
      case Some(f: Float) => f == 0 && 1 / f < 0
      case _ => false
    })
}
