// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical.Join

import io.sparksieve.scan.KeyForm

/** Keys of a join's input that have the value of a key in each row of its output. */
private[dynamicfilter] object EqualKeys {

  /**
   * The keys of the join's sides that have the value of `keys`, which is one in each output row: of
   * an inner join these keys, and then the columns, or widened columns, that the join compares with
   * one of them; of a join that keeps all or some rows of a side as they are, those of the keys that
   * belong to that side. Empty for other joins.
   */
  def below(join: Join, keys: Seq[Expression]): Seq[Expression] = join.joinType match {
    case _: InnerLike => keys ++ compared(join, keys)
    case LeftOuter | LeftSemi | LeftAnti | _: ExistenceJoin => keys.filter(inLeft(join, _))
    case RightOuter => keys.filterNot(inLeft(join, _))
    case _ => Nil
  }

  /** Whether a key belongs to the join's left side. */
  def inLeft(join: Join, key: Expression): Boolean =
    key.references.subsetOf(join.left.outputSet)

  /** Whether two keys are the same expression, apart from Spark's normalization of floats. */
  def areSame(one: Expression, other: Expression): Boolean =
    KeyForm.stripped(one).semanticEquals(KeyForm.stripped(other))

  private def compared(join: Join, keys: Seq[Expression]): Seq[Expression] = join match {
    case ExtractEquiJoinKeys(_, left, right, _, _, _, _, _) =>
      val pairs = left.map(KeyForm.stripped).zip(right.map(KeyForm.stripped))
      (pairs ++ pairs.map(_.swap)).collect {
        case (a, b) if keys.exists(areSame(_, a)) && KeyForm.column(b).nonEmpty => b
      }
    case _ => Nil
  }
}
