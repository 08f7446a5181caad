// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import org.apache.spark.sql.catalyst.optimizer.{InlineCTE, RemoveNoopOperators}
import org.apache.spark.sql.catalyst.plans.logical.{
  Aggregate,
  GlobalLimit,
  LocalLimit,
  LogicalPlan,
  Offset,
  Project,
  Sort,
  Tail,
  UnaryCommand
}

import io.sparksieve.common.{HasBytes, LastUsedWithin}
import io.sparksieve.pushdown.RowsOfRun
import io.sparksieve.report.core.{OrderSnapshot, Report}

/**
 * The measurements of the last runs of a session's queries, as rows of reports without plans. Kept
 * for the [[Runs.Max]] queries that were run or looked up last, or fewer if these take much memory.
 */
private[sparksieve] final class Runs {

  private val own = Runs.remembered
  // Runs of queries that an action made of the query, such as `count()`.
  private val around = Runs.remembered

  /**
   * Replaces the measurements of an earlier run of `analyzed` with those of `run`. A run without
   * entries, for example with Sieve off, replaces only the row counts of the scans: the earlier
   * entries still show the last run in which Sieve measured anything.
   */
  def put(analyzed: LogicalPlan, run: Runs.Run): Unit = {
    val keys = Runs.withInner(analyzed).map(Runs.key).distinct
    synchronized {
      own.put(keys.head, updated(own, keys.head, run))
      keys.tail.foreach(key => around.put(key, updated(around, key, run)))
    }
  }

  private def updated(runs: LastUsedWithin[Int, Runs.Run], key: Int, run: Runs.Run): Runs.Run = {
    val last = Option(runs.get(key)).filter(_.entries.nonEmpty && run.entries.isEmpty)
    last.fold(run)(_.copy(scans = run.scans, isBeforeLast = true))
  }

  /** The measurements of the last run of `analyzed`; None if no run is known. */
  def get(analyzed: LogicalPlan): Option[Runs.Known] = {
    val key = Runs.key(analyzed)
    synchronized {
      def of(runs: LastUsedWithin[Int, Runs.Run], whole: Boolean) =
        Option(runs.get(key)).map(Runs.Known(_, whole))
      of(own, whole = true).orElse(of(around, whole = false))
    }
  }
}

private[sparksieve] object Runs {

  /**
   * The measurements of the operators of one run, and the row counts of its scans.
   *
   * @param action
   *   Spark's name of the action that ran the query, such as `count` or `head`
   * @param joins
   *   the [[JoinStrategies]] of the plan that ran
   * @param isBeforeLast
   *   whether a later run had no entries, so that only the scans are of the last run
   */
  final case class Run(
      entries: Seq[Report.Entry],
      moments: Seq[OrderSnapshot],
      scans: Seq[RowsOfRun] = Nil,
      action: String = "",
      joins: Seq[String] = Nil,
      isBeforeLast: Boolean = false)
      extends HasBytes {

    override lazy val bytes: Long =
      entries.map(e => PerRow + e.place.length + e.detail.length).sum + moments.size * PerRow +
        scans.map(s => PerRow + s.source.length + s.predicates.map(PerRow + _.length).sum).sum
  }

  // An object with some fields; texts are counted apart unless rows share them.
  private final val PerRow = 128L

  /**
   * A run that a report may use.
   *
   * @param whole
   *   whether it ran the query itself; otherwise it ran a query that contains it
   */
  final case class Known(run: Run, whole: Boolean)

  /** The number of queries whose last run a session remembers. */
  val Max = 100

  /** The most bytes that these take; a filter may have changed its order a thousand times. */
  private final val MaxBytes = 16L << 20

  private def remembered = new LastUsedWithin[Int, Run](Max, MaxBytes)

  /**
   * A query and the queries that it counts, sorts, or takes rows or columns of: those that
   * `count()`, `show()`, `take()` and their like were called on. A filter is no such step: the scan
   * below it reads other rows.
   */
  private def withInner(analyzed: LogicalPlan): Seq[LogicalPlan] =
    Iterator
      .iterate(Option(analyzed))(_.flatMap(inner))
      .takeWhile(_.nonEmpty)
      .flatten
      .toVector

  private def inner(query: LogicalPlan): Option[LogicalPlan] = query match {
    case _: UnaryCommand | _: Aggregate | _: Project | _: Sort => query.children.headOption
    case _: GlobalLimit | _: LocalLimit | _: Offset | _: Tail => query.children.headOption
    case _ => None
  }

  /**
   * A key that is equal for two analyses of one query, whatever ids and names Spark generated in
   * them. It is a 32-bit hash: a query shares the key of one of a hundred other queries about once
   * in 43 million times. A command that writes the query's rows, a view that holds the query, and
   * `SELECT *` around it make no difference.
   */
  private[report] def key(analyzed: LogicalPlan): Int = {
    val query = analyzed match {
      case command: UnaryCommand => command.child
      case other => other
    }
    // A WITH clause gets another id in each analysis, so its definition is inlined.
    RemoveNoopOperators(InlineCTE(alwaysInline = true)(query)).canonicalized.hashCode
  }
}
