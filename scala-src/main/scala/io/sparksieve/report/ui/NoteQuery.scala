package io.sparksieve.report.ui

import java.util.concurrent.TimeUnit

import org.apache.spark.sql.sieve.EndedExecution

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.pushdown.RowsOfRun
import io.sparksieve.report.core.{Measured, PlanningLog}

/** Makes the event of a query that has ended. */
private[ui] object NoteQuery {

  /** The event; None if Sieve is off, or has nothing to say about the query. */
  def apply(execution: EndedExecution): Option[SieveQueryEnded] = {
    val query = execution.query
    if (!SparkCompat.conf(query.sparkSession).getConf(SieveConf.ENABLED)) None
    else {
      val measured = Measured.in(query.executedPlan)
      val planned = PlanningLog.of(query.tracker).toSeq.flatMap(_.entries)
      val verdicts = Verdicts.settled(planned ++ measured.verdicts) ++ measured.entries
      val scans = RowsOfRun.of(query.executedPlan).collect {
        case run if run.predicates.nonEmpty || run.isNarrowed =>
          QueryScan(
            short(run.source),
            run.predicates.filterNot(_.endsWith(" IS NOT NULL")).take(MostPredicates).map(short),
            run.rows.read,
            run.rows.kept,
            run.isNarrowed)
      }
      if (verdicts.isEmpty && scans.isEmpty) None
      else
        Some(
          SieveQueryEnded(
            execution.id,
            execution.time,
            TimeUnit.NANOSECONDS.toMillis(execution.nanos),
            execution.action.stripSuffix("ToPython"),
            verdicts.take(MostVerdicts).map { e =>
              QueryVerdict(
                e.feature,
                e.rule,
                e.outcome,
                e.reason.fold("")(_.code),
                short(e.place),
                short(e.detail))
            },
            scans.take(MostScans),
            measured.moments.take(MostOrders).map { m =>
              QueryOrder(short(m.place), m.executor, m.millis, short(m.predicate), m.position)
            },
            measured.gains
          ))
    }
  }

  // Events are kept in memory and in the event log, whatever a query looks like.
  private final val MostVerdicts = 200
  private final val MostScans = 100
  private final val MostPredicates = 50
  private final val MostOrders = 2000
  private final val MaxLength = 1000

  private def short(text: String) =
    if (text.length <= MaxLength) text else text.take(MaxLength - 1) + "…"
}
