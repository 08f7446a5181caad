package io.sparksieve.report

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.{DataType, IntegerType, StringType}

import io.sparksieve.report.pushdown.ExplainedScan

/**
 * `sieve_report('<view name or SQL text>')`: plans the query, runs nothing, and lists what each
 * rule did at each place it could have acted on, and why not where it did not. If the query has
 * been run in this session with Sieve on, what its operators measured in the last run follows. Then
 * come the predicates of each scan with the layers that deal with them; see [[SieveScans]].
 */
object SieveReport extends SieveTableFunction {

  override val name = "sieve_report"

  override val usage =
    "sieve_report('<view name or SQL text>') - what Sieve did to the query, or why it did not"

  override val columns: Seq[(String, DataType)] =
    ("id" -> IntegerType) +:
      Seq("room", "rule", "outcome", "reason", "place", "detail").map(_ -> StringType)

  override protected def rows(session: SparkSession, arguments: Seq[Expression]): Seq[Seq[Any]] = {
    val execution = QueryText.plan(session, text(arguments))
    // The executed plan, because some rules act when a physical plan is made.
    val ((_, verdicts), scans) =
      SieveScans.explained(session, execution)(Report.collecting(execution.executedPlan))
    val rules = (verdicts ++ measured(session, execution, verdicts)).map { e =>
      Seq[Any](e.room, e.rule, e.outcome, e.reason.map(_.code).orNull, e.place, e.detail)
    }
    (rules ++ scans.flatMap(pushdown)).zipWithIndex.map { case (row, i) => (i + 1) +: row }
  }

  /** A row for each predicate of a scan, and one for the rows of its last run. */
  private def pushdown(scan: ExplainedScan): Seq[Seq[Any]] = {
    def row(outcome: String, reason: Option[String], detail: String) =
      Seq[Any](Pushdown, scan.source, outcome, reason.orNull, scan.place, detail)
    val predicates = scan.predicates.map { p =>
      row(p.layers, p.reason, s"${p.sql}: ${p.detail}${p.remedy.fold("")(" " + _)}")
    }
    val run = scan.rows.map { r =>
      val read = if (r.read == 1) "1 row" else f"${r.read}%,d rows"
      row(Outcome.Measured.name, None, f"$read read, ${r.kept}%,d kept")
    }
    predicates ++ run
  }

  /** In the place of a room, for rows that say what sources do with predicates. */
  private final val Pushdown = "pushdown"

  /**
   * Only of rooms that have looked at the query now: one that was switched off has nothing to show.
   * One that declines may do so because of what was measured.
   */
  private def measured(
      session: SparkSession,
      execution: QueryExecution,
      verdicts: Seq[Report.Entry]): Seq[Report.Entry] = {
    val rooms = verdicts.map(_.room).toSet
    if (rooms.isEmpty) Nil
    else {
      val entries = RunListener.settled(session).toSeq.flatMap(_.measured(execution))
      entries.filter(e => rooms(e.room))
    }
  }
}
