// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.plan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

import io.sparksieve.adaptivefilter.codegen.GenerateRowFilter
import io.sparksieve.adaptivefilter.exec.{AdaptiveFilterExec, FilterKey}
import io.sparksieve.adaptivefilter.learn.FilterRunHistory
import io.sparksieve.adaptivefilter.predicate.{
  Conjunct,
  Conjuncts,
  Precedence,
  PredicateCost,
  RowConjuncts,
  SharedExpressions
}
import io.sparksieve.common.{ForeignEngine, MembershipPredicate}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.keyset.SupportsBatchEval
import io.sparksieve.report.core.{Features, Guarded, OperatorDescription, Reason, Report}

/**
 * Replaces the filters that [[AdaptiveFilterStrategy]] has marked:
 * {{{
 *   Filter a > 5 AND s RLIKE 'x.*y'    =>    AdaptiveFilter [a > 5, s RLIKE 'x.*y']
 * }}}
 * where:
 *   1. there are at least two predicates, not counting IS NOT NULL of a column; or one is an OR
 *      with parts worth an order ([[Disjuncts]]); or the only predicate can be evaluated for blocks
 *      of rows, and the child outputs batches;
 *   1. some predicate may move ahead of another ([[Precedence]]), unless there is such an OR or a
 *      predicate for blocks of rows;
 *   1. there is an order that is right for each way in which Spark may evaluate the condition
 *      ([[Conjuncts.differ]]), and no column that can fail and that Spark would compute later
 *      ([[DeferredColumns]]);
 *   1. there are no more predicates than a set of them can hold ([[Precedence.MaxPredicates]]), and
 *      their columns fit into the arguments of a method;
 *   1. no two predicates share a costly expression, which Spark would evaluate once;
 *   1. the predicates do not have to keep the order of their points ([[MembershipPredicate]]),
 *      unless the only predicate is for blocks of rows;
 *   1. there is something to gain: over rows, some predicate costs more than looking up the order
 *      ([[PredicateCost]]); and, unless there is a predicate for blocks of rows, earlier runs of
 *      the same filter have not shown that too little is gained ([[FilterRunHistory]]).
 *
 * Runs after adaptive execution has prepared its stages; without adaptive execution, when columnar
 * rules run. Both are after Spark's own rules over physical plans, which look for FilterExec.
 */
private[sparksieve] final class PlanAdaptiveFilter(session: SparkSession) extends Rule[SparkPlan] {
  import PlanAdaptiveFilter._

  override def apply(plan: SparkPlan): SparkPlan =
    if (!SieveConf.adaptiveFilterEnabled(SparkCompat.conf(session))) plan
    else
      Guarded(Features.AdaptiveFilter, Name, plan.nodeName, plan)(plan.transformUp {
        case f: FilterExec if f.getTagValue(AdaptiveFilterStrategy.Marked).nonEmpty =>
          planned(f, f.condition, f.child).getOrElse(f)
        // A join evaluates its condition before it builds rows: better for cheap predicates.
        case ResidualJoin(join, residual, bare) =>
          planned(join, residual, bare, isWorth = !PredicateCost.isCheap(_)).getOrElse(join)
      })

  /**
   * @param place
   *   the operator that is replaced, or left
   * @param isWorth
   *   must be true for at least one predicate, or nothing is replaced
   */
  private def planned(
      place: SparkPlan,
      condition: Expression,
      child: SparkPlan,
      isWorth: Expression => Boolean = _ => true): Option[SparkPlan] = {
    val conjuncts = Conjuncts.of(condition, child.output)
    val alternatives = conjuncts.exists(_.exclusions.nonEmpty)
    lazy val common = shared(conjuncts)
    lazy val deferred =
      DeferredColumns.fallible(AttributeSet(conjuncts.flatMap(_.references)), child)
    def declined(reason: Reason, detail: String) = {
      Report.declinedAt(place, Features.AdaptiveFilter, Name, reason)(
        OperatorDescription.filterOver(child),
        detail)
      None
    }
    val evaluated = conjuncts.filterNot(_.isNullCheck)
    lazy val inBlocks = evaluatesBlocks(evaluated, child)
    lazy val isBlocks = evaluated.size == 1 && inBlocks
    lazy val engine = ForeignEngine.of(SparkCompat.conf(session))
    if (evaluated.size < 2 && !alternatives && !isBlocks) None
    else if (!conjuncts.exists(c => isWorth(c.predicate))) None
    else if (engine.nonEmpty) declined(Reason.ForeignOperator, s"${engine.get} runs the query")
    else if (conjuncts.size > Precedence.MaxPredicates)
      declined(Reason.TooManyPredicates, s"${conjuncts.size} predicates")
    else if (Conjuncts.differ(condition, child.output))
      declined(Reason.GuardsDiffer, marked(conjuncts))
    else if (!alternatives && !inBlocks && !Precedence.of(conjuncts).mayMove)
      declined(Reason.FixedOrder, marked(conjuncts))
    else if (!GenerateRowFilter.fits(conjuncts, child.output))
      declined(Reason.TooManyPredicates, "their columns are more than a method takes")
    else if (!isBlocks && MembershipPredicate.keepsOrder(condition, SparkCompat.conf(session)))
      declined(Reason.OrderOfPoints, marked(conjuncts))
    else if (deferred.nonEmpty) declined(Reason.DeferredColumn, deferred.get.sql)
    else if (common.nonEmpty) declined(Reason.SharedSubexpression, common.head.sql)
    else if (!readsBatches(child) && !RowConjuncts.mayLearn(conjuncts))
      declined(Reason.LittleToGain, "each predicate is as cheap as looking up the order")
    else
      (if (inBlocks) None else learnedToBeLittle(conjuncts, child)) match {
        case Some(gain) => declined(Reason.LittleToGain, gain.toString)
        case None =>
          val filter = AdaptiveFilterExec(condition, child)
          // A node that has a tag of its own gets no tags from the node that it replaces.
          filter.copyTagsFrom(place)
          Report.appliedTo(filter, Features.AdaptiveFilter, Name)(
            OperatorDescription.filterOver(child),
            marked(conjuncts))
          Some(filter)
      }
  }

  private def learnedToBeLittle(conjuncts: Seq[Conjunct], child: SparkPlan) = {
    val conf = SparkCompat.conf(session)
    FilterRunHistory
      .gain(FilterKey(conjuncts, SieveConf.adaptiveFilterPolicy(conf), child))
      .filter(_.share < SieveConf.adaptiveFilterMinGain(conf))
  }

  // Evaluating such a predicate for many rows at a time is worth it even without an order to learn.
  private def evaluatesBlocks(conjuncts: Seq[Conjunct], child: SparkPlan) =
    conjuncts.exists(_.predicate.isInstanceOf[SupportsBatchEval]) && readsBatches(child)

  // Calling `supportsColumnar` on a DSv2 scan would plan its partitions before runtime filters have
  // reached it.
  private def readsBatches(child: SparkPlan) = child match {
    case _: BatchScanExec => true
    case other => other.supportsColumnar
  }

  // IS NOT NULL is left out: the optimizer adds such checks of expressions in other predicates.
  private def shared(conjuncts: Seq[Conjunct]) =
    SharedExpressions.of(conjuncts.map(_.predicate).filterNot(_.isInstanceOf[IsNotNull]))

  private def marked(conjuncts: Seq[Conjunct]) =
    conjuncts
      .map { c =>
        val why = if (c.fallible) "may fail" else "may be slow"
        c.sql + (if (c.staysBehind) s" ($why: keeps after those before it)" else "")
      }
      .mkString("; ")
}

private[sparksieve] object PlanAdaptiveFilter {
  val Name = "PlanAdaptiveFilter"
}
