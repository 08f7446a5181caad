// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import java.util.concurrent.TimeUnit

import scala.collection.mutable

import org.apache.spark.sql.sieve.{EndedExecution, Redacted}

import io.sparksieve.common.Shorten
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.pushdown.{FiguresOfRun, RowsOfRun}
import io.sparksieve.report.core.{OrderSnapshot, PlanningLog}

/** Makes the event of a query that has ended. */
private[ui] object NoteQuery {

  /** The event; None if Sieve is off, or has nothing to say about the query. */
  def apply(execution: EndedExecution): Option[SieveQueryEnded] = {
    val query = execution.query
    val conf = SparkCompat.conf(query.sparkSession)
    def short(text: String) = Shorten(Redacted(conf, text), MaxLength)
    if (!conf.getConf(SieveConf.ENABLED)) None
    else {
      val FiguresOfRun(measured, rows) = FiguresOfRun.of(query, execution.nanos)
      val verdicts =
        Verdicts.of(PlanningLog.of(query.tracker), measured) ++ measured.entries
      val scans = rows.map(withoutNullChecks).collect {
        case run if run.predicates.nonEmpty || run.isNarrowed =>
          QueryScan(
            short(run.source),
            run.predicates.take(MostPredicates).map(short(_)),
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
            orders(measured.moments, short(_)),
            measured.gains
          ))
    }
  }

  /** The optimizer adds such checks beside other predicates; they drop few rows. */
  private def withoutNullChecks(run: RowsOfRun) =
    run.copy(predicates = run.predicates.filterNot(_.endsWith(" IS NOT NULL")))

  /** The moments at which an executor's order changed, and the last one. */
  private def orders(moments: Seq[OrderSnapshot], short: String => String): Seq[QueryOrder] = {
    val texts = mutable.Map.empty[String, String]
    def text(of: String) = texts.getOrElseUpdate(of, short(of))
    val filters = moments.groupBy(m => (m.place, m.executor)).toSeq.sortBy(_._1)
    filters.take(MostFilters).flatMap { case ((place, executor), mine) =>
      val snapshots = mine.groupBy(_.millis).toSeq.sortBy(_._1).map { case (millis, same) =>
        // Several tasks may end in the same millisecond.
        millis -> same.groupBy(_.predicate).map { case (p, all) => p -> all.last.position }
      }
      val changed = snapshots.foldLeft(Vector.empty[(Long, Map[String, Int])]) { (kept, next) =>
        if (kept.lastOption.exists(_._2 == next._2)) kept else kept :+ next
      }
      val first = changed.take(MostChanges)
      (first ++ snapshots.lastOption.filterNot(first.contains)).flatMap {
        case (millis, positions) =>
          positions.toSeq.sortBy(_._2).take(MostPredicates).map { case (predicate, position) =>
            QueryOrder(text(place), executor, millis, text(predicate), position)
          }
      }
    }
  }

  // Events are kept in memory and in the event log, whatever a query looks like.
  private final val MostVerdicts = 200
  private final val MostScans = 100
  private final val MostPredicates = 50
  private final val MostFilters = 8
  private final val MostChanges = 20
  private final val MaxLength = 1000
}
