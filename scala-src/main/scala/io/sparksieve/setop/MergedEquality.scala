package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}

import io.sparksieve.common.SetEquality

/**
 * Equalities that hold for distinguishable values, as `d = e` holds for 0.0 and -0.0. Spark
 * concludes from them that what another condition says of `d` is true of `e`, or of the constant
 * in its place, and that need not be so. Beside conditions that it did not come with, such an
 * equality must be hidden from those rules.
 */
object MergedEquality {

  def occursIn(condition: Expression): Boolean = condition.exists {
    case EqualTo(l, r) => isMerging(l) && !isOnlyValue(l) && !isOnlyValue(r)
    case EqualNullSafe(l, r) => isMerging(l) && !isOnlyValue(l) && !isOnlyValue(r)
    case In(value, list) => isMerging(value) && !list.forall(isOnlyValue)
    case _ => false
  }

  private def isMerging(e: Expression) = SetEquality.merges(e.dataType)

  /** A constant that is equal to itself alone. */
  private def isOnlyValue(e: Expression) = e match {
    case Literal(v: Double, _) => v != 0 && !v.isNaN
    case Literal(v: Float, _) => v != 0 && !v.isNaN
    case _ => false
  }
}
