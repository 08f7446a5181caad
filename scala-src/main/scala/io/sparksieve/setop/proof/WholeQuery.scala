// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.catalyst.plans.logical._

import io.sparksieve.common.order.{RowOrder, SeesPartitions}
import io.sparksieve.report.core.Refusal
import io.sparksieve.setop.proof.files.Overwritten

/** What proofs look up in the query around an operator; each evaluated once, if needed. */
private[setop] final class WholeQuery(val plan: LogicalPlan) {

  /** Its operators, also those of subqueries. */
  lazy val operators: Seq[LogicalPlan] = plan.collectWithSubqueries { case operator => operator }

  /** The WITH definitions by id. */
  lazy val ctes: Map[Long, CTERelationDef] =
    operators.collect { case d: CTERelationDef => d.id -> d }.toMap

  /** The expressions that may raise an error because of a rewrite. */
  lazy val fallible: FallibleExpressions = new FallibleExpressions(this)

  /** Where its columns come from. */
  lazy val origins: ColumnOrigins = new ColumnOrigins(this)

  /** Whether it joins anything, also as a subquery, or has more than one EXCEPT or INTERSECT. */
  lazy val hasJoins: Boolean =
    operators.count(_.isInstanceOf[SetOperation]) > 1 || operators.exists {
      case _: Join | _: LateralJoin => true
      case other => other.expressions.exists(_.exists(_.isInstanceOf[SubqueryExpression]))
    }

  /** Why another plan of it may keep -0.0 where this one does not. */
  lazy val negativeZero: Option[Refusal] = NegativeZero.obstacle(this)

  /** Whether an operator of it sees the partitions of a shuffle. */
  lazy val seesPartitions: Boolean = SeesPartitions.in(operators)(RowOrder.matters(_)).nonEmpty

  /** Whether it overwrites files that it reads. */
  lazy val overwritesItsFiles: Boolean = Overwritten(operators)

  /**
   * Whether it is a batch of a stream that is given to a function (`foreachBatch`) or to a sink of
   * the first API. The function may overwrite what the batch reads, as a command may
   * ([[overwritesItsFiles]]), and nothing in the plan says so.
   */
  lazy val isGivenBatch: Boolean = plan.isStreaming && !WholeQuery.Writes(plan.nodeName)

  /** Whether a constant of it, or a value of its inline rows, is -0.0 or holds it. */
  lazy val writesNegativeZero: Boolean = NegativeZero.isWrittenIn(this)

  /** `part` and the definitions that it reads. */
  def withDefinitions(part: LogicalPlan): Seq[LogicalPlan] = part +: definitionsOf(part)

  /** The definitions that `part` reads, also through other definitions. */
  def definitionsOf(part: LogicalPlan): Seq[CTERelationDef] = {
    @tailrec
    def read(todo: Seq[LogicalPlan], found: Vector[CTERelationDef]): Vector[CTERelationDef] = {
      val ids = todo.flatMap(_.collectWithSubqueries { case r: CTERelationRef => r.cteId })
      val more = ids.distinct.flatMap(ctes.get(_)).filterNot(d => found.exists(_.id == d.id))
      if (more.isEmpty) found else read(more, found ++ more)
    }
    if (ctes.isEmpty) Nil else read(Seq(part), Vector.empty)
  }
}

private[setop] object WholeQuery {

  /** A query of which nothing is known to matter, for operators alone. */
  val Empty: WholeQuery = new WholeQuery(OneRowRelation())

  // A batch of a stream that a source's sink writes; the first of Spark's classes is deprecated.
  private val Writes = Set("WriteToDataSourceV2", "WriteToMicroBatchDataSource")
}
