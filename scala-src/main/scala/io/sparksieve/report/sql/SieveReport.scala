// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.{DataType, IntegerType, StringType}

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{ExplainedScan, Guarded, Measured, Outcome, Report}

/**
 * `sieve_report('<view name or SQL text>')`: plans the query without running it, and lists what
 * each rule did at each place that it could have changed, or why it declined. If the query has been
 * run in this session with Sieve on, the measurements of its operators in the last run follow. The
 * last rows are the predicates of each scan with the layers that handle them; see [[SieveScans]].
 */
private[sparksieve] object SieveReport extends QueryFunction {

  override val name = "sieve_report"

  override val usage =
    "sieve_report('<view name or SQL text>') - what Sieve did to the query, or why it did not"

  override val columns: Seq[(String, DataType)] =
    ("id" -> IntegerType) +:
      Seq("feature", "rule", "outcome", "reason", "place", "detail").map(_ -> StringType)

  override def of(session: SparkSession, execution: QueryExecution): Seq[Seq[Any]] = {
    val (rules, scans) = rulesAndScans(session, execution)
    numbered(rules ++ scans.flatMap(pushdown))
  }

  /** The rows about rules, without numbers, and the scans. */
  private[sql] def rulesAndScans(
      session: SparkSession,
      execution: QueryExecution): (Seq[Seq[Any]], Seq[ExplainedScan]) = {
    // Forces the executed plan, because some rules run during physical planning.
    val ((_, planned), scans) =
      SieveScans.explained(session, execution)(Report.collecting(execution.executedPlan))
    val verdicts = planned ++ ofCaches(execution).filterNot(planned.contains).map { e =>
      e.copy(place = s"${e.place} (cached)")
    }
    val rules = (verdicts ++ measured(session, execution, verdicts)).map { e =>
      Seq[Any](e.feature, e.rule, e.outcome, e.reason.map(_.code).orNull, e.place, e.detail)
    }
    (rules, scans)
  }

  /** The verdicts on plans that ran when a cache was filled, if Spark's UI or event log has them. */
  private def ofCaches(execution: QueryExecution) =
    Guarded("report", "SieveReport", "the caches that the query reads", Seq.empty[Report.Entry]) {
      Measured.verdictsOnCaches(execution.executedPlan)
    }

  private[sql] def numbered(rows: Seq[Seq[Any]]): Seq[Seq[Any]] =
    rows.zipWithIndex.map { case (row, i) => (i + 1) +: row }

  /** One row for each predicate of a scan, and one row for the row counts of its last run. */
  private def pushdown(scan: ExplainedScan): Seq[Seq[Any]] = {
    def row(outcome: String, reason: Option[String], detail: String) =
      Seq[Any](Pushdown, scan.source, outcome, reason.orNull, scan.place, detail)
    val predicates = scan.predicates.map { p =>
      row(p.layers, p.reason, s"${p.sql}: ${p.detail}${p.remedy.fold("")(" " + _)}")
    }
    val run = scan.rows.map { r =>
      row(
        Outcome.Measured.name,
        None,
        s"${Numbers.counted(r.read, "row")} read, ${Numbers.count(r.kept)} kept")
    }
    predicates ++ run
  }

  /** The feature name of rows that report what sources do with predicates. */
  private final val Pushdown = "pushdown"

  /**
   * The measurements of the last run, only for features with a verdict on the query as planned now:
   * a feature that is switched off has nothing to report. A feature that declines is included,
   * because the measurements may be the reason. An entry says so if the run is not that of the
   * plan shown: if it had other joins, if a larger query ran, or if the last run measured nothing.
   */
  private def measured(
      session: SparkSession,
      execution: QueryExecution,
      verdicts: Seq[Report.Entry]): Seq[Report.Entry] = {
    val features = verdicts.map(_.feature).toSet
    val known =
      if (features.isEmpty) None else RunListener.settled(session).flatMap(_.run(execution))
    known.toSeq.flatMap { case Runs.Known(run, whole) =>
      val entries = run.entries.filter(e => features(e.feature))
      val otherJoins = Some(run)
        .filter(r => entries.nonEmpty || r.scans.nonEmpty)
        .flatMap(r => JoinStrategies.difference(r.joins, JoinStrategies.of(execution.executedPlan)))
      val earlier = if (run.isBeforeLast && entries.nonEmpty) Some(BeforeLast) else None
      val larger = if (whole || entries.isEmpty) None else Some(ofAction(run))
      val notes = otherJoins ++ earlier ++ larger
      if (notes.isEmpty) entries
      else {
        val feature = entries.headOption.getOrElse(verdicts.head).feature
        val said = notes.mkString("", "; ", ": the figures are those of that run")
        Report.measured(feature, "Run", "this query", said) +: entries
      }
    }
  }

  private final val BeforeLast = "before the last run, which measured only the rows of scans"

  private def ofAction(run: Runs.Run): String = {
    val action = run.action.stripSuffix("ToPython") match {
      case "head" => "show(), take() or head()"
      case other => s"$other()"
    }
    s"as part of a larger query, by $action"
  }
}
