package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.plans._

/**
 * Which side of a join may lose the rows whose key the other side does not have. A side whose rows
 * come out without a partner too must keep them; so must both of a join of a kind not known here.
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
