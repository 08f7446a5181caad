// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.conf.SieveConf

/**
 * Measures analysis and optimization of a query that is never run: without the extension, with
 * Sieve disabled, with Sieve enabled, and the extension's rules alone.
 *
 * @param changes
 *   whether Sieve must change the plan, or must leave it unchanged
 * @param plannings
 *   how often each variant is planned in each round of the run
 * @param conf
 *   confs of all variants
 * @param target
 *   the target: Sieve makes planning less than this many milliseconds longer
 * @param physical
 *   whether the physical plan is measured too
 */
final case class PlanningCase(
    name: String,
    about: String,
    tables: Seq[Table],
    sql: String,
    changes: Boolean,
    plannings: Int = 60,
    conf: Map[String, String] = Map.empty,
    target: Option[Double] = None,
    physical: Boolean = false)
    extends Case {

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    val sessions = Seq(bench.extended, bench.plain)
    sessions.foreach(bench.prepare(_, tables))
    val variants = Map(
      PlanningCase.Without -> Variant(PlanningCase.Without, sql, Map.empty),
      Variant.Off -> Variant.off(sql),
      Variant.OffAgain -> Variant.off(sql, Variant.OffAgain),
      Variant.On -> Variant.on(sql),
      PlanningCase.Rules -> Variant.on(sql).copy(name = PlanningCase.Rules)
    )
    def run(name: String) = {
      val session = if (name == PlanningCase.Without) bench.plain else bench.extended
      SparkSession.setActiveSession(session)
      bench.withConf(session, conf ++ variants(name).conf) {
        if (name == PlanningCase.Rules) rulesAlone(bench, session) else planning(bench, session)
      }
    }
    def plan(name: String) = bench.withConf(bench.extended, conf ++ variants(name).conf) {
      PlanText.withoutPlaces(
        PlanText.renumbered(bench.query(bench.extended, sql).optimizedPlan.toString))
    }
    val names =
      Seq(PlanningCase.Without, Variant.Off, Variant.OffAgain, Variant.On, PlanningCase.Rules)
    val rounds = bench.options.runs * plannings
    Rounds(names, (rounds / 2).max(1))(run) // warm-up: the JVM compiles the optimizer
    val timings = Rounds(names, rounds)(run)
    val (off, on) = (plan(Variant.Off), plan(Variant.On))
    val failures =
      if (changes && off == on) Seq("vacuous: the plan is the same with Sieve off and on")
      else if (!changes && off != on) Seq("Sieve changed a plan that it should have left")
      else Nil
    CaseResult(
      CaseResult.Planning,
      name,
      about,
      target,
      conf,
      sql,
      names.map { n =>
        val text = if (n == Variant.On) on else if (n == Variant.Off) off else ""
        CaseResult.OfVariant(n, timings(n), None, text)
      },
      None,
      failures
    )
  }

  private def planning(bench: Bench, session: SparkSession): Double = {
    val query = bench.query(session, sql)
    Rounds.milliseconds {
      query.analyzed
      query.optimizedPlan
      if (physical) query.executedPlan
      ()
    }
  }

  /**
   * Times the extension's rules alone: the normalization rules on the analyzed plan, the optimizer
   * rules on the plan that Spark optimizes without Sieve.
   */
  private def rulesAlone(bench: Bench, session: SparkSession): Double = {
    val query = bench.query(session, sql)
    val analyzed = query.analyzed
    val optimized = SieveConf.bypassing(query.optimizedPlan)
    Rounds.milliseconds {
      all(session.sessionState.planNormalizationRules, analyzed)
      all(session.experimental.extraOptimizations, optimized)
    }
  }

  private def all(rules: Seq[Rule[LogicalPlan]], plan: LogicalPlan): Unit = {
    rules.foldLeft(plan)((before, rule) => rule(before))
    ()
  }
}

object PlanningCase {

  /** Planned in a session without the extension. */
  val Without = "without"

  /** The time of the extension's rules only. */
  val Rules = "rules alone"
}
