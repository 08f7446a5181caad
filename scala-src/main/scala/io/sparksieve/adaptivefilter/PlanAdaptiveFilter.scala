package io.sparksieve.adaptivefilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{EquivalentExpressions, Expression, IsNotNull}
import org.apache.spark.sql.catalyst.optimizer.CollapseProject
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{FilterExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec

import io.sparksieve.{SieveConf, SparkCompat}
import io.sparksieve.report.{Guarded, Reason, Report}

/**
 * Replaces the filters that [[AdaptiveFilterStrategy]] has marked:
 * {{{
 *   Filter a > 5 AND s RLIKE 'x.*y'    =>    AdaptiveFilter [a > 5, s RLIKE 'x.*y']
 * }}}
 * where:
 *   1. there are at least two predicates, NULL checks that others make anyway not counted;
 *   1. one of them may move ahead of another ([[Precedence]]);
 *   1. there are no more than sets of predicates hold, and their columns fit into a method;
 *   1. no costly expression is part of several predicates, which Spark evaluates once;
 *   1. there is something to gain: over rows, some predicate is not as cheap as asking for the order
 *      ([[PredicateCost]]).
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
        case f: FilterExec if f.getTagValue(AdaptiveFilterStrategy.Marked).nonEmpty => planned(f)
      })

  // Such engines run filters themselves, and look for Spark's own to replace.
  private def isForOther = {
    val conf = SparkCompat.conf(session)
    val classes = Seq("spark.plugins", "spark.sql.extensions").map(conf.getConfString(_, ""))
    Engines.exists(engine => classes.exists(_.contains(engine)))
  }

  private def planned(filter: FilterExec): SparkPlan = {
    val conjuncts = Conjuncts.of(filter.condition, filter.child.output)
    lazy val common = shared(conjuncts)
    def declined(reason: Reason, detail: String) = {
      Report.declined(Room, Name, reason, Place(filter.child), detail)
      filter
    }
    if (conjuncts.count(!_.isNullCheck) < 2) filter
    else if (conjuncts.size > Precedence.MaxPredicates)
      declined(Reason.TooManyPredicates, s"${conjuncts.size} predicates")
    else if (!mayMove(conjuncts)) declined(Reason.FixedOrder, marked(conjuncts))
    else if (!GenerateRowFilter.fits(conjuncts, filter.child.output))
      declined(Reason.TooManyPredicates, "their columns are more than a method takes")
    else if (common.nonEmpty) declined(Reason.SharedSubexpression, common.head.sql)
    else if (!readsBatches(filter.child) && RowConjuncts(conjuncts).size < 2)
      declined(Reason.LittleToGain, "each predicate is as cheap as asking for the order")
    else {
      Report.applied(Room, Name, Place(filter.child), marked(conjuncts))
      AdaptiveFilterExec(filter.condition, filter.child)
    }
  }

  // A DSv2 scan plans its partitions when it is asked, before run-time filters have reached it.
  private def readsBatches(child: SparkPlan) = child match {
    case _: BatchScanExec => true
    case other => other.supportsColumnar
  }

  /** What Spark's own filter evaluates once for several predicates. */
  private def shared(conjuncts: Seq[Conjunct]): Seq[Expression] = {
    val found = new EquivalentExpressions
    // NULL checks that the optimizer adds are of what a predicate has, too.
    conjuncts.map(_.predicate).filterNot(_.isInstanceOf[IsNotNull]).foreach(found.addExprTree(_))
    found.getCommonSubexpressions.filterNot(e =>
      CollapseProject.isCheap(e) || PredicateCost.isCheap(e))
  }

  private def mayMove(conjuncts: Seq[Conjunct]) = {
    val precedence = Precedence.of(conjuncts)
    (1 until precedence.size).exists(precedence.isFree)
  }

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
