package io.sparksieve.report

import org.apache.spark.sql.catalyst.optimizer.{InlineCTE, RemoveNoopOperators}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryCommand}

import io.sparksieve.LastUsed
import io.sparksieve.report.pushdown.RowsOfRun

/**
 * What the last runs of a session's queries measured: rows of reports alone, no plans, and of the
 * [[Runs.Max]] queries that were run or asked for last.
 */
final class Runs {

  private val kept = new LastUsed[Int, Runs.Run](Runs.Max)

  /**
   * Keeps the measurements of a run of `analyzed` instead of those of an earlier one. A run with
   * Sieve off measures nothing, and what Sieve did last is what was measured before.
   */
  def put(analyzed: LogicalPlan, run: Runs.Run): Unit = {
    val key = Runs.key(analyzed)
    synchronized {
      val last = Option(kept.get(key)).filter(_ => run.entries.isEmpty)
      kept.put(key, last.fold(run)(_.copy(scans = run.scans)))
    }
  }

  /** The measurements of the last run of `analyzed`; None if none is known. */
  def get(analyzed: LogicalPlan): Option[Runs.Run] = {
    val key = Runs.key(analyzed)
    synchronized(Option(kept.get(key)))
  }
}

object Runs {

  /** What the operators of one run measured, and the rows of its scans. */
  final case class Run(
      entries: Seq[Report.Entry],
      moments: Seq[Moment],
      scans: Seq[RowsOfRun] = Nil)

  /** Of how many queries a session remembers the last run. */
  val Max = 100

  /**
   * Equal for two analyses of one query, whatever ids and names Spark gave in them; among a hundred
   * queries, different ones share it once in many millions of times. It is the query's alone: what
   * writes its rows, the view it stands in, and `SELECT *` around it make no difference.
   */
  private[report] def key(analyzed: LogicalPlan): Int = {
    val query = analyzed match {
      case command: UnaryCommand => command.child
      case other => other
    }
    // A WITH clause has another id in each analysis, so what it names is put in its place.
    RemoveNoopOperators(InlineCTE(alwaysInline = true)(query)).canonicalized.hashCode
  }
}
