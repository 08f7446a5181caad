// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf

/** Whether one side of a join is likely to have fewer keys than the other side. */
private[dynamicfilter] object Selective extends PredicateHelper {

  /**
   * @param side
   *   the creation side
   * @param keys
   *   the join's keys on that side
   * @param pruning
   *   Spark's own pruning of partitions, which limits a side too
   */
  def apply(
      side: LogicalPlan,
      keys: Seq[Expression],
      pruning: SparksPruning,
      conf: SQLConf): Boolean =
    side.exists {
      case Filter(condition, child) =>
        splitConjunctivePredicates(condition).exists {
          case p: DynamicPruningSubquery => pruning.keeps(p)
          case other => limits(other, ofKeys(child, keys))
        }
      case _: DynamicFilter => true
      case _ => false
    } || isHeld(side) && side.stats.sizeInBytes <= SieveConf.dynamicFilterMaxKeySetBytes(conf)

  // Spark infers a predicate on the join keys alone for the other side too, so their keys would
  // drop nothing more there.
  private def limits(conjunct: Expression, keys: AttributeSet): Boolean =
    isLikelySelective(conjunct) && !conjunct.isInstanceOf[DynamicPruning] &&
      !(conjunct.references.nonEmpty && conjunct.references.subsetOf(keys))

  private def ofKeys(plan: LogicalPlan, keys: Seq[Expression]): AttributeSet = {
    val columns = AttributeSet(keys.flatMap(_.references))
    AttributeSet(plan.output.filter(columns.contains))
  }

  /** Whether all rows are in memory, such as a list of ids that a program passes in. */
  private def isHeld(side: LogicalPlan): Boolean = side.collectLeaves().forall {
    case _: LocalRelation | _: LogicalRDD => true
    case cached: InMemoryRelation => cached.cacheBuilder.isCachedColumnBuffersLoaded
    case _ => false
  }
}
