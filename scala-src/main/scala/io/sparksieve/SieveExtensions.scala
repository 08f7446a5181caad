package io.sparksieve

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

import io.sparksieve.adaptivefilter.{
  AdaptiveFilterStrategy,
  PlanAdaptiveFilter,
  PlanAdaptiveFilterRule
}
import io.sparksieve.bulkfilter.{
  ArrangeBulkFilters,
  InFileFunction,
  InTableFunction,
  PlanKeyFilesRule
}
import io.sparksieve.dynamicfilter.{
  DynamicFilterStrategy,
  PushIntoScanRule,
  SessionInjectDynamicFilter
}
import io.sparksieve.report.{
  RememberRuns,
  SieveExplain,
  SieveInfo,
  SieveOrders,
  SieveReport,
  SieveScans
}
import io.sparksieve.report.pushdown.BeforePushdown
import io.sparksieve.setop.SessionRewriteSetOperations

/**
 * Switches Sieve on in a Spark session:
 * {{{
 *   spark.sql.extensions=io.sparksieve.SieveExtensions
 * }}}
 * Wiring only: which rule is hooked in where, and why there.
 */
class SieveExtensions extends SparkSessionExtensionsProvider {

  override def apply(extensions: SparkSessionExtensions): Unit = {
    // Before anything else: a knob that is not registered takes any value until a query reads it.
    SieveConf.register()

    // Plan normalisation is the last moment at which EXCEPT, INTERSECT and EXISTS stand in the
    // plan as they were written: the optimizer's first batches replace them, and rules injected
    // into it run after those. It is also before the cache lookup, so that a rewritten query and a
    // rewritten cached plan meet, and after analysis, so that views keep what the user wrote.
    // Unknown knobs are looked for first: a misspelt switch must be named even if it is off.
    extensions.injectPlanNormalizationRule(session => new WarnOfUnknownKnobs(session))
    // Before a query's first run, and for every session by itself.
    extensions.injectPlanNormalizationRule(session => new RememberRuns(session))
    extensions.injectPlanNormalizationRule(session => SessionRewriteSetOperations(session))

    // A rule over joins must come after IN and EXISTS have become joins: see there.
    extensions.injectPlanNormalizationRule(session => new SessionInjectDynamicFilter(session))
    extensions.injectPlannerStrategy(_ => DynamicFilterStrategy)
    // Columnar rules are the only ones that see each stage of an adaptive plan just before it runs,
    // when its subqueries have been planned.
    extensions.injectColumnar(session => new PushIntoScanRule(session))

    // The last moment at which all filters over a source are in the plan: next it is offered them.
    extensions.injectPreCBORule(_ => BeforePushdown)

    // Whatever the switches say: a query that was written with them must run. In the optimizer,
    // which runs for every query anew and after the cache has been asked.
    Seq(InFileFunction, InTableFunction).foreach { f =>
      f.register()
      extensions.injectFunction(f.describe)
    }
    extensions.injectOptimizerRule(session => new ArrangeBulkFilters(session))
    extensions.injectColumnar(session => new PlanKeyFilesRule(session))

    // First the keys into scans, because that looks for filters of Spark's own; at the very last the
    // filters, because so do Spark's rules over physical plans. Adaptive execution shows what it has
    // prepared from the beginning, columnar rules see each of its stages only just before it runs.
    extensions.injectPlannerStrategy(session => new AdaptiveFilterStrategy(session))
    extensions.injectQueryStagePrepRule(session => new PlanAdaptiveFilter(session))
    extensions.injectColumnar(session => new PlanAdaptiveFilterRule(session))

    // Table functions, because they reach SQL, the DataFrame API and Spark Connect alike.
    Seq(SieveReport, SieveScans, SieveExplain, SieveOrders, SieveInfo).foreach(f =>
      extensions.injectTableFunction(f.describe))
  }
}
