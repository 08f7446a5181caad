// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

import io.sparksieve.adaptivefilter.plan.{
  AdaptiveFilterStrategy,
  PlanAdaptiveFilter,
  PlanAdaptiveFilterRule
}
import io.sparksieve.bulkfilter.analysis.{InFileFunction, InTableFunction}
import io.sparksieve.bulkfilter.optimize.{ArrangeBulkFilters, PlanKeyFilesRule}
import io.sparksieve.compat.RegisterLastRules
import io.sparksieve.conf.{SieveConf, WarnOfUnknownConfigs}
import io.sparksieve.dynamicfilter.exec.{
  DynamicFilterStrategy,
  HideEliminatedStages,
  KeepCopysBroadcasts,
  PushIntoScanRule
}
import io.sparksieve.dynamicfilter.optimize.InjectDynamicFilter
import io.sparksieve.pushdown.BeforePushdown
import io.sparksieve.report.core.{AdoptVerdicts, TieVerdicts}
import io.sparksieve.report.sql.{
  RememberRuns,
  SieveAdvise,
  SieveAdviseJson,
  SieveExplain,
  SieveInfo,
  SieveJson,
  SieveOrders,
  SieveReport,
  SieveScans
}
import io.sparksieve.report.ui.ShowInSpark
import io.sparksieve.scan.rebuilt.SourceFilters
import io.sparksieve.setop.rewrite.SessionRewriteSetOperations

/**
 * Switches Sieve on in a Spark session:
 * {{{
 *   spark.sql.extensions=io.sparksieve.SieveExtensions
 * }}}
 * Contains wiring only: at which extension point each rule is injected, and why there. Spark runs
 * the phases in this order; with adaptive execution, those marked * again for each query stage:
 * {{{
 *   plan normalization        WarnOfUnknownConfigs, RememberRuns, SessionRewriteSetOperations,
 *                             RegisterLastRules
 *   operator optimization     AdoptVerdicts, ArrangeBulkFilters
 *   before CBO                BeforePushdown, SourceFilters
 *   last optimizer batch      InjectDynamicFilter, TieVerdicts (registered by RegisterLastRules)
 *   planner strategies *      DynamicFilterStrategy, AdaptiveFilterStrategy
 *   stage preparation *       PlanAdaptiveFilter (adaptive execution only)
 *   columnar rules *          PushIntoScanRule, PlanKeyFilesRule, PlanAdaptiveFilterRule
 * }}}
 */
class SieveExtensions extends SparkSessionExtensionsProvider {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    // Before anything else: Spark accepts any value for a config that is not registered, until a
    // query reads it.
    SieveConf.register()

    // The tab in Spark's UI and the lines in EXPLAIN, once for each application.
    ShowInSpark()

    // Plan normalisation is the last phase in which EXCEPT, INTERSECT and EXISTS appear in the plan
    // as they were written: the optimizer's first batches replace them, and injected optimizer
    // rules run after those batches. It also runs before the cache lookup, which takes a
    // rewritten operator for what it was, and after analysis, so that views keep what the user
    // wrote. The warning about unknown configs comes first: a misspelt switch must be reported even
    // if Sieve is off.
    extensions.injectPlanNormalizationRule(session => new WarnOfUnknownConfigs(session))
    // Registers the session's listener before the first query of the session runs.
    extensions.injectPlanNormalizationRule(session => new RememberRuns(session))
    extensions.injectPlanNormalizationRule(session => SessionRewriteSetOperations(session))

    // The rule over joins must run after IN and EXISTS have become joins; see the class.
    extensions.injectPlanNormalizationRule(session =>
      new RegisterLastRules(session, Seq(InjectDynamicFilter, TieVerdicts)))
    extensions.injectPlannerStrategy(_ => DynamicFilterStrategy)
    extensions.injectQueryStagePrepRule(_ => KeepCopysBroadcasts)
    extensions.injectQueryStagePrepRule(_ => HideEliminatedStages)
    // Only columnar rules see each stage of an adaptive plan just before it runs, when its
    // subqueries have been planned.
    extensions.injectColumnar(session => new PushIntoScanRule(session))

    // The verdicts of the rules above, for EXPLAIN and the UI.
    extensions.injectOptimizerRule(_ => AdoptVerdicts)

    // The last phase in which all filters over a source are in the plan: next, Spark pushes them.
    extensions.injectPreCBORule(_ => BeforePushdown)
    extensions.injectPreCBORule(_ => SourceFilters)

    // The functions are registered whatever the switches say: a query that uses them must run. The
    // rule is an optimizer rule because the optimizer runs anew for every query, after the cache
    // lookup.
    Seq(InFileFunction, InTableFunction).foreach { f =>
      f.register()
      extensions.injectFunction(f.describe)
    }
    extensions.injectOptimizerRule(session => new ArrangeBulkFilters(session))
    extensions.injectColumnar(session => new PlanKeyFilesRule(session))

    // The rules above push keys into scans first. Adaptive filters come last, because Spark's own
    // physical rules look for FilterExec. With adaptive execution, query stage preparation makes
    // the filters visible in the plan from the beginning; columnar rules see each stage only just
    // before it runs.
    extensions.injectPlannerStrategy(session => new AdaptiveFilterStrategy(session))
    extensions.injectQueryStagePrepRule(session => new PlanAdaptiveFilter(session))
    extensions.injectColumnar(session => new PlanAdaptiveFilterRule(session))

    // Table functions work in SQL, the DataFrame API and Spark Connect alike.
    Seq(
      SieveReport,
      SieveScans,
      SieveExplain,
      SieveOrders,
      SieveJson,
      SieveInfo,
      SieveAdvise,
      SieveAdviseJson).foreach(f => extensions.injectTableFunction(f.describe))
  }
}
