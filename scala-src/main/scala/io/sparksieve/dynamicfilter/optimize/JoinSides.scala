package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.plans._

/**
 * Whether a side of a join may lose the rows that have no partner on the other side. A side whose
 * rows are in the join's output even without a partner must keep them, and so must both sides of an
 * unknown join type.
 */
private[dynamicfilter] object JoinSides {

  def mayFilterLeft(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | LeftSemi | RightOuter => true
    case _ => false
  }

  def mayFilterRight(joinType: JoinType): Boolean = joinType match {
    case Inner | Cross | LeftSemi | LeftOuter | LeftAnti | _: ExistenceJoin => true
    case _ => false
  }
}
