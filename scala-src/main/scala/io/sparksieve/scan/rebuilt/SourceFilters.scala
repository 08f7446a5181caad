// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan.rebuilt

import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.sieve.Translation

/**
 * Remembers which filters Spark is about to push into each DSv2 source, in a tag of the relation,
 * which stays in the plan. Afterwards the plan does not have those filters that the source
 * evaluates fully, and [[RebuiltScan]] needs them all. Changes no plan.
 */
private[sparksieve] object SourceFilters extends Rule[LogicalPlan] with PredicateHelper {

  private val Tag = TreeNodeTag[Seq[Expression]]("sieve.sourceFilters")

  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case Filter(condition, relation: DataSourceV2Relation) =>
        // As Spark's V2ScanRelationPushDown offers them. Each place of a plan has a relation of its
        // own here: Spark has copied those that are read twice.
        val offered = Translation
          .normalized(splitConjunctivePredicates(condition), relation.output)
          .filterNot(SubqueryExpression.hasSubquery)
        relation.setTagValue(Tag, offered)
      case _ =>
    }
    plan
  }

  /** The filters above `relation` when Spark pushed them; empty if there were none. */
  def above(relation: DataSourceV2Relation): Seq[Expression] =
    relation.getTagValue(Tag).getOrElse(Nil)
}
