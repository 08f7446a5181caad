package io.sparksieve.adaptivefilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

import io.sparksieve.{SieveConf, SparkCompat}
import io.sparksieve.bulkfilter.BulkFilters
import io.sparksieve.keyset.AskedTogether
import io.sparksieve.report.{Guarded, Reason, Report}

/**
 * Replaces the filters that [[AdaptiveFilterStrategy]] has marked:
 * {{{
 *   Filter a > 5 AND s RLIKE 'x.*y'    =>    AdaptiveFilter [a > 5, s RLIKE 'x.*y']
 * }}}
 * where:
 *   1. there are at least two predicates, NULL checks that others make anyway not counted, or one
 *      is an OR with parts worth an order ([[Disjuncts]]), or is asked of blocks of rows;
 *   1. one of them may move ahead of another ([[Precedence]]), if there are several;
 *   1. there is an order that is right for each way in which Spark may evaluate the condition
 *      ([[Conjuncts.differ]]), and no column that it would compute later ([[DeferredColumns]]);
 *   1. there are no more than sets of predicates hold, and their columns fit into a method;
 *   1. no costly expression is part of several predicates, which Spark evaluates once;
 *   1. there is something to gain: over rows, some predicate is not as cheap as asking for the order
 *      ([[PredicateCost]]), and by earlier runs of the same filter the order is worth it
 *      ([[EarlierRuns]]).
 *
 * Runs when adaptive execution has prepared its stages, and without it when columnar rules run:
 * after Spark's own rules over physical plans, which look for FilterExec.
 */
final class PlanAdaptiveFilter(session: SparkSession) extends Rule[SparkPlan] {
  import PlanAdaptiveFilter._

  override def apply(plan: SparkPlan): SparkPlan =
    if (!SieveConf.adaptiveFilterEnabled(SparkCompat.conf(session)) || isForOther) plan
    else
      Guarded(Room, Name, plan.nodeName, plan)(plan.transformUp {
        case f: FilterExec if f.getTagValue(AdaptiveFilterStrategy.Marked).nonEmpty =>
          planned(f.condition, f.child).getOrElse(f)
        // A join asks its condition before it makes rows: for cheap predicates that is better.
        case ResidualJoin(join, residual, bare) =>
          planned(residual, bare, isWorth = !PredicateCost.isCheap(_)).getOrElse(join)
      })

  // Such engines run filters themselves, and look for Spark's own to replace.
  private def isForOther = {
    val conf = SparkCompat.conf(session)
    val classes = Seq("spark.plugins", "spark.sql.extensions").map(conf.getConfString(_, ""))
    Engines.exists(engine => classes.exists(_.contains(engine)))
  }

  /** @param isWorth must be true for some predicate */
  private def planned(
      condition: Expression,
      child: SparkPlan,
      isWorth: Expression => Boolean = _ => true): Option[SparkPlan] = {
    val conjuncts = Conjuncts.of(condition, child.output)
    val alternatives = conjuncts.exists(_.exclusions.nonEmpty)
    lazy val common = shared(conjuncts)
    lazy val deferred =
      DeferredColumns.fallible(AttributeSet(conjuncts.flatMap(_.references)), child)
    def declined(reason: Reason, detail: String) = {
      Report.declined(Room, Name, reason, Place(child), detail)
      None
    }
    val asked = conjuncts.filterNot(_.isNullCheck)
    lazy val inBlocks = asksBlocks(asked, child)
    lazy val isBlocks = asked.size == 1 && inBlocks
    if (asked.size < 2 && !alternatives && !isBlocks) None
    else if (!conjuncts.exists(c => isWorth(c.predicate))) None
    else if (conjuncts.size > Precedence.MaxPredicates)
      declined(Reason.TooManyPredicates, s"${conjuncts.size} predicates")
    else if (Conjuncts.differ(condition, child.output))
      declined(Reason.GuardsDiffer, marked(conjuncts))
    else if (!alternatives && !inBlocks && !Precedence.of(conjuncts).mayMove)
      declined(Reason.FixedOrder, marked(conjuncts))
    else if (!GenerateRowFilter.fits(conjuncts, child.output))
      declined(Reason.TooManyPredicates, "their columns are more than a method takes")
    else if (!isBlocks && BulkFilters.keepsPoints(condition, SparkCompat.conf(session)))
      declined(Reason.OrderOfPoints, marked(conjuncts))
    else if (deferred.nonEmpty) declined(Reason.DeferredColumn, deferred.get.sql)
    else if (common.nonEmpty) declined(Reason.SharedSubexpression, common.head.sql)
    else if (!readsBatches(child) && !RowConjuncts.mayLearn(conjuncts))
      declined(Reason.LittleToGain, "each predicate is as cheap as asking for the order")
    else
      (if (inBlocks) None else learnedToBeLittle(conjuncts, child)) match {
        case Some(gain) => declined(Reason.LittleToGain, gain.toString)
        case None =>
          Report.applied(Room, Name, Place(child), marked(conjuncts))
          Some(AdaptiveFilterExec(condition, child))
      }
  }

  private def learnedToBeLittle(conjuncts: Seq[Conjunct], child: SparkPlan) = {
    val conf = SparkCompat.conf(session)
    EarlierRuns
      .gain(FilterKey(conjuncts, SieveConf.adaptiveFilterPolicy(conf), child))
      .filter(_.share < SieveConf.adaptiveFilterMinGain(conf))
  }

  // Over batches it is asked for many rows at a time, which is worth it without an order to learn.
  private def asksBlocks(conjuncts: Seq[Conjunct], child: SparkPlan) =
    conjuncts.exists(_.predicate.isInstanceOf[AskedTogether]) && readsBatches(child)

  // A DSv2 scan plans its partitions when it is asked, before run-time filters have reached it.
  private def readsBatches(child: SparkPlan) = child match {
    case _: BatchScanExec => true
    case other => other.supportsColumnar
  }

  // NULL checks that the optimizer adds are of what a predicate has, too.
  private def shared(conjuncts: Seq[Conjunct]) =
    SharedExpressions.of(conjuncts.map(_.predicate).filterNot(_.isInstanceOf[IsNotNull]))

  private def marked(conjuncts: Seq[Conjunct]) =
    conjuncts
      .map(c => c.sql + (if (c.fallible) " (may fail: keeps after those before it)" else ""))
      .mkString("; ")
}

object PlanAdaptiveFilter {
  val Room = "adaptivefilter"
  val Name = "PlanAdaptiveFilter"

  /** Parts of the class names of engines that bring columnar operators of their own. */
  private val Engines = Seq("Gluten", "Comet", "com.nvidia.spark", "Auron", "Blaze")
}
