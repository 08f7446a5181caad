package io.sparksieve.report.sql

import org.apache.spark.sql.catalyst.optimizer.{InlineCTE, RemoveNoopOperators}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryCommand}

import io.sparksieve.common.LastUsed
import io.sparksieve.pushdown.RowsOfRun
import io.sparksieve.report.core.{OrderSnapshot, Report}

/**
 * The measurements of the last runs of a session's queries, as rows of reports without plans. Kept
 * for the [[Runs.Max]] queries that were run or looked up last.
 */
private[sparksieve] final class Runs {

  private val kept = new LastUsed[Int, Runs.Run](Runs.Max)

  /**
   * Replaces the measurements of an earlier run of `analyzed` with those of `run`. A run without
   * entries, for example with Sieve off, replaces only the row counts of the scans: the earlier
   * entries still show the last run in which Sieve measured anything.
   */
  def put(analyzed: LogicalPlan, run: Runs.Run): Unit = {
    val key = Runs.key(analyzed)
    synchronized {
      val last = Option(kept.get(key)).filter(_ => run.entries.isEmpty)
      kept.put(key, last.fold(run)(_.copy(scans = run.scans)))
    }
  }

  /** The measurements of the last run of `analyzed`; None if no run is known. */
  def get(analyzed: LogicalPlan): Option[Runs.Run] = {
    val key = Runs.key(analyzed)
    synchronized(Option(kept.get(key)))
  }
}

private[sparksieve] object Runs {

  /** The measurements of the operators of one run, and the row counts of its scans. */
  final case class Run(
      entries: Seq[Report.Entry],
      moments: Seq[OrderSnapshot],
      scans: Seq[RowsOfRun] = Nil)

  /** The number of queries whose last run a session remembers. */
  val Max = 100

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
