package io.sparksieve

import org.apache.logging.log4j.Level

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession

import io.sparksieve.report.{Reason, Report}

/** A session with the extension, and checks that a query's plan moved and its rows did not. */
trait SieveTest extends QueryTest with SharedSparkSession {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.sql.extensions", classOf[SieveExtensions].getName)
      .set("spark.sql.shuffle.partitions", "4")
      // The counting rewrite's gate is for speed; tests are small.
      .set(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key, "0")
      // Hides the very rewrites of small tables that are to be seen.
      .set(SQLConf.OPTIMIZER_EXCLUDED_RULES.key, ConvertToLocalRelation)

  private def ConvertToLocalRelation =
    "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"

  /** The optimized plan of a query with the verdicts of the rules. */
  protected def planned(query: => DataFrame): (LogicalPlan, Seq[Report.Entry]) = {
    val execution = fresh(query)
    Report.collecting(execution.optimizedPlan)
  }

  /** The rows without Sieve. */
  protected def off(query: => DataFrame): Seq[Row] = {
    val execution = fresh(query)
    SieveConf.bypassing(execution.executedPlan).executeCollectPublic().toSeq
  }

  /** A DataFrame keeps the plan that it was given first; this plans it anew. */
  private def fresh(query: DataFrame): QueryExecution =
    SparkCompat.plan(spark, query.queryExecution.analyzed)

  /**
   * Asserts that `rule` was applied, that the rows equal those without Sieve, and that the plan
   * has no join and reads the source once.
   */
  protected def assertOneScan(rule: String)(query: => DataFrame): Unit = {
    val (plan, entries) = planned(query)
    assertApplied(rule, entries, plan)
    assert(!plan.exists(_.isInstanceOf[Join]), plan)
    assert(plan.collectLeaves().length <= 1, plan)
    checkAnswer(query, off(query))
  }

  protected def assertApplied(rule: String, entries: Seq[Report.Entry], plan: LogicalPlan): Unit =
    assert(entries.exists(e => e.rule == rule && e.reason.isEmpty), s"$entries\n$plan")

  /** Asserts that `rule` left the query alone for `reason`, and that the rows are right. */
  protected def assertDeclined(rule: String, reason: Reason)(query: => DataFrame): Unit = {
    val (plan, entries) = planned(query)
    assert(entries.exists(e => e.rule == rule && e.reason.contains(reason)), s"$entries\n$plan")
    assert(!entries.exists(e => e.rule == rule && e.reason.isEmpty), s"$entries\n$plan")
    checkAnswer(query, off(query))
  }

  protected def withConf[T](settings: (String, String)*)(body: => T): T = {
    var result: Option[T] = None
    withSQLConf(settings: _*) { result = Some(body) }
    result.get
  }

  /**
   * Runs `body`, and asserts that all code that was made meanwhile compiled: Spark runs interpreted
   * what does not, with right rows.
   */
  protected def notFailingToCompile[T](body: => T): T = {
    val log = new LogAppender("failures to compile")
    var result: Option[T] = None
    withLogAppender(log, level = Some(Level.WARN)) { result = Some(body) }
    val failures = log.loggingEvents
      .map(_.getMessage.getFormattedMessage)
      .filter(m => m.contains("Failed to compile") || m.contains("failed to compile"))
    assert(failures.isEmpty, failures.mkString("\n"))
    result.get
  }
}
