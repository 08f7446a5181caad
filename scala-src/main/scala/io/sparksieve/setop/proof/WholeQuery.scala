// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.plans.logical.{CTERelationDef, LogicalPlan, OneRowRelation}

/** What proofs look up in the query around an operator; each evaluated once, if needed. */
private[setop] final class WholeQuery(plan: LogicalPlan) {

  /** The WITH definitions by id. */
  lazy val ctes: Map[Long, CTERelationDef] =
    plan.collectWithSubqueries { case d: CTERelationDef => d.id -> d }.toMap

  /** The columns that conditions which may fail read. */
  lazy val fallible: FallibleColumns = new FallibleColumns(plan, ctes)
}

private[setop] object WholeQuery {

  /** A query of which nothing is known to matter, for operators alone. */
  val Empty: WholeQuery = new WholeQuery(OneRowRelation())
}
