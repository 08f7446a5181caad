// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import java.lang.ref.WeakReference

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}

import io.sparksieve.report.core.{Measured, Measurements, PlanningLog}

/** What the operators of a query reported after a run, and the row counts of its scans. */
private[sparksieve] final case class FiguresOfRun(measured: Measurements, scans: Seq[RowsOfRun])

private[sparksieve] object FiguresOfRun {

  private final case class Last(
      query: WeakReference[QueryExecution],
      nanos: Long,
      figures: FiguresOfRun)

  private var last: Option[Last] = None

  /**
   * The figures of the run of `query` that took `nanos`. The listeners of a session and of the
   * application ask for the same run one after another; the plan is walked for the first one.
   *
   * A plan that the run read from a cache belongs to the first run that reads it, which has filled
   * the cache: its figures and verdicts are among those of that run, and of no later one.
   */
  def of(query: QueryExecution, nanos: Long): FiguresOfRun = synchronized {
    last
      .filter(l => l.query.get.eq(query) && l.nanos == nanos)
      .fold {
        val figures = in(query.executedPlan)
        last = Some(Last(new WeakReference(query), nanos, figures))
        figures
      }(_.figures)
  }

  private def in(plan: SparkPlan): FiguresOfRun = {
    val measured = Measured.in(plan)
    val scans = RowsOfRun.of(plan)
    val cached = measured.caches.filter(isReadFirst).map { cache =>
      val figures = in(cache)
      val planned = PlanningLog.of(cache).toSeq.flatMap(_.entries)
      figures.copy(measured =
        figures.measured.copy(verdicts = planned ++ figures.measured.verdicts))
    }
    val all = cached.map(_.measured).foldLeft(measured)(_.withCached(_))
    // A plan would keep its session alive.
    FiguresOfRun(all.copy(caches = Nil), scans ++ cached.flatMap(_.scans))
  }

  private val WasRead = TreeNodeTag[Unit]("sieve.cacheWasRead")

  private def isReadFirst(cache: SparkPlan): Boolean = {
    val isFirst = cache.getTagValue(WasRead).isEmpty
    if (isFirst) cache.setTagValue(WasRead, ())
    isFirst
  }
}
