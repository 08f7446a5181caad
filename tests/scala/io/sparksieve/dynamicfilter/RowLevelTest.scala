// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.SessionListeners
import org.apache.spark.sql.util.QueryExecutionListener

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.optimize.InjectDynamicFilter
import io.sparksieve.report.core.{Reason, Report}
import io.sparksieve.scan.DynamicScanExec

/**
 * Helpers for MERGE, UPDATE and DELETE of lake tables of eight files. The source is `few`, 20 rows
 * of which ten are in the third file and ten are new.
 */
trait RowLevelTest extends LakeTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark
      .range(0, 20, 1, 1)
      .selectExpr("if(id < 10, 6000 + id, 90000 + id) AS id", "concat('n', id) AS s")
      .write
      .saveAsTable("few")
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS few")
      ()
    } finally super.afterAll()

  protected val Matched = "WHEN MATCHED THEN UPDATE SET s = n.s"

  protected val NotMatched = "WHEN NOT MATCHED THEN INSERT (id, s) VALUES (n.id, n.s)"

  /** A source that has each row twice. */
  protected val Twice = "(SELECT id, s FROM few UNION ALL SELECT id, s FROM few)"

  protected def merge(t: String, clauses: String, source: String = "few"): String =
    s"MERGE INTO $t AS t USING $source AS n ON t.id = n.id $clauses"

  /** What the scans with keys of a command found, and the verdicts of the rule. */
  protected case class Pruned(before: Long, read: Long, verdicts: Seq[Report.Entry]) {

    def reasons: Seq[Reason] = verdicts.flatMap(_.reason)
  }

  protected def pruned(command: => Unit): Pruned = {
    val executions = new ConcurrentLinkedQueue[QueryExecution]
    val listener = new QueryExecutionListener {
      override def onSuccess(name: String, execution: QueryExecution, nanos: Long): Unit = {
        executions.add(execution)
        ()
      }
      override def onFailure(name: String, execution: QueryExecution, e: Exception): Unit = ()
    }
    SessionListeners.await(spark, 10000)
    spark.listenerManager.register(listener)
    try {
      val (_, entries) = Report.collecting(command)
      SessionListeners.await(spark, 10000)
      val scans = executions
        .toArray(Array.empty[QueryExecution])
        .toSeq
        .map(_.executedPlan)
        .flatMap(collectWithSubqueries(_) { case s: DynamicScanExec => s })
      def sum(metric: String) = scans.map(_.metrics(metric).value).sum
      Pruned(
        sum("filesBefore"),
        sum("filesBefore") - sum("filesSkipped"),
        entries.filter(_.rule == InjectDynamicFilter.Name))
    } finally spark.listenerManager.unregister(listener)
  }

  /**
   * Runs a command with Sieve and without, on new tables, and asserts that both have the same rows
   * afterwards, each id once.
   */
  protected def changedAlike(fresh: String => Unit, names: (String, String))(
      command: String => String): Pruned = {
    var found: Option[Pruned] = None
    val (_, rows) = sameTable(fresh, names) { t =>
      if (found.isEmpty) found = Some(pruned { sql(command(t)); () })
      else sql(command(t))
      ()
    }
    assert(rows.map(_.getLong(0)).distinct.length == rows.length)
    found.get
  }

  /** Asserts that a command reads one file of eight by its keys. */
  protected def assertOneFile(found: Pruned): Unit =
    assert(found.before == 8 && found.read == 1, s"$found")

  /** Asserts that nothing was skipped, and why. */
  protected def assertWhole(found: Pruned, reason: Reason): Unit =
    assert(found.before == 0 && found.reasons.contains(reason), s"$reason: $found")

  /** Asserts that a command fails with that error, with Sieve and without. */
  protected def assertFails(error: String)(command: String): Unit = {
    def failure = causes(intercept[Exception](sql(command))).map(_.getMessage).mkString("\n")
    assert(failure.contains(error))
    assert(withoutSieve(failure).contains(error))
    ()
  }

  /** Shuffles unless `broadcast`, and reads footers also of few files. */
  protected def joined[T](broadcast: Boolean)(body: => T): T = withConf(
    SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> (if (broadcast) "10MB" else "-1"),
    SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1"
  )(body)
}
