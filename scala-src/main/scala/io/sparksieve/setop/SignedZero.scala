package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.types.{DoubleType, FloatType}

/**
 * Comparisons of floats with zero, given to a Parquet scan, skip files whose dictionary has only
 * the other zero: Spark then misses rows of `WHERE d = 0.0`. A side of an operation that had no
 * such filter must not get one pushed.
 */
object SignedZero {

  def occursIn(condition: Expression): Boolean = condition.exists(comparesWithZero)

  private def comparesWithZero(e: Expression) = e match {
    case c: BinaryComparison => c.children.exists(isZero)
    case In(_, list) => list.exists(isZero)
    case _ => false
  }

  private def isZero(e: Expression): Boolean = e.dataType match {
    case DoubleType | FloatType =>
      e match {
        case Literal(v: Double, _) => v == 0.0
        case Literal(v: Float, _) => v == 0.0f
        // A constant that is still to be computed may be one.
        case other => other.foldable
      }
    case _ => false
  }
}
