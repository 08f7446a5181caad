// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.SetEquality

/**
 * Detects equalities that hold for distinguishable values, as `d = e` holds for 0.0 and -0.0. From
 * such an equality Spark infers that another condition on `d` also holds for `e`, or for a constant
 * in place of `d`, which need not be true. When a rewrite puts the equality beside conditions that
 * it was not written with, the equality must be hidden from those rules.
 */
private[proof] object MergedEquality {

  def occursIn(condition: Expression): Boolean = condition.exists {
    case EqualTo(l, r) => isMerging(l) && !isOnlyValue(l) && !isOnlyValue(r)
    case EqualNullSafe(l, r) => isMerging(l) && !isOnlyValue(l) && !isOnlyValue(r)
    case In(value, list) => isMerging(value) && !list.forall(isOnlyValue)
    case _ => false
  }

  private def isMerging(e: Expression) = SetEquality.merges(e.dataType)

  /** Whether `e` is a constant that equals no other value: a float, neither zero nor NaN. */
  private def isOnlyValue(e: Expression) = e match {
    case Literal(v: Double, _) => v != 0 && !v.isNaN
    case Literal(v: Float, _) => v != 0 && !v.isNaN
    case _ => false
  }
}
