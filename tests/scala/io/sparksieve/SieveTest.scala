// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.io.File
import java.lang.ref.WeakReference

import org.apache.logging.log4j.Level

import org.apache.spark.SparkConf
import org.apache.spark.sieve.PlainSession
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Report}

/** A session with the extension, and assertions that a query's plan changes and its rows do not. */
trait SieveTest extends QueryTest with PlainSession {

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set("spark.sql.extensions", classOf[SieveExtensions].getName)
      .set("spark.hadoop.fs.file.impl", classOf[ForklessFileSystem].getName)
      .set("spark.sql.shuffle.partitions", "4")
      // The tables of tests are smaller than the default gate of the counting rewrite.
      .set(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key, "0")
      // ConvertToLocalRelation evaluates operators on local rows and would hide their rewrites.
      .set(SQLConf.OPTIMIZER_EXCLUDED_RULES.key, ConvertToLocalRelation)

  private def ConvertToLocalRelation =
    "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"

  /** The optimized plan of a query, and the verdicts of the rules. */
  protected def planned(query: => DataFrame): (LogicalPlan, Seq[Report.Entry]) = {
    val execution = fresh(query)
    Report.collecting(execution.optimizedPlan)
  }

  /** The rows without Sieve. */
  protected def off(query: => DataFrame): Seq[Row] = {
    val execution = fresh(query)
    SieveConf.bypassing(execution.executedPlan).executeCollectPublic().toSeq
  }

  /**
   * Whether objects are freed, at the latest after another query was planned: verdicts on the last
   * query are let go then.
   */
  protected def freed(references: WeakReference[_]*): Boolean =
    Freed.between(spark.range(1).queryExecution.optimizedPlan)(references: _*)

  /** Plans the query anew, because a DataFrame keeps its first plan. */
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

  /** Asserts that `rule` declined the query for `reason`, and that the rows are right. */
  protected def assertDeclined(rule: String, reason: Reason)(query: => DataFrame): Unit = {
    val (plan, entries) = planned(query)
    assert(entries.exists(e => e.rule == rule && e.reason.contains(reason)), s"$entries\n$plan")
    assert(!entries.exists(e => e.rule == rule && e.reason.isEmpty), s"$entries\n$plan")
    checkAnswer(query, off(query))
  }

  /**
   * Compares rows as [[QueryTest]] does, those of a sorted query in order, but runs the query once
   * instead of twice.
   */
  override protected def checkAnswer(df: => DataFrame, expectedAnswer: Seq[Row]): Unit = {
    val query = df
    val execution = query.queryExecution
    val rows = query.collect().toSeq
    for (plan <- Seq(execution.analyzed, execution.optimizedPlan, execution.executedPlan))
      assert(plan.missingInput.isEmpty, plan)
    val isSorted = execution.logical.exists(_.isInstanceOf[Sort])
    QueryTest.sameRows(expectedAnswer, rows, isSorted).foreach { difference =>
      fail(s"$difference\n$execution")
    }
  }

  /** An error and its causes, the outermost first. */
  protected def causes(e: Throwable): Seq[Throwable] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).toSeq

  /** What `within` gives to its argument, for Spark's test helpers, whose bodies return nothing. */
  private def resultOf[T](within: (T => Unit) => Unit): T = {
    var result: Option[T] = None
    within(value => result = Some(value))
    result.get
  }

  protected def withConf[T](settings: (String, String)*)(body: => T): T =
    resultOf[T](keep => withSQLConf(settings: _*)(keep(body)))

  /** The result of `body` with a new directory, which is deleted afterwards. */
  protected def inTempDir[T](body: File => T): T =
    resultOf[T](keep => withTempDir(dir => keep(body(dir))))

  /**
   * Runs `body`, and asserts that all code generated meanwhile compiles. The rows do not show a
   * failure, because Spark then falls back to interpreted evaluation.
   */
  protected def notFailingToCompile[T](body: => T): T = {
    val log = new LogAppender("failures to compile")
    val result = resultOf[T](keep => withLogAppender(log, level = Some(Level.WARN))(keep(body)))
    val failures = log.loggingEvents
      .map(_.getMessage.getFormattedMessage)
      .filter(m => m.contains("Failed to compile") || m.contains("failed to compile"))
    assert(failures.isEmpty, failures.mkString("\n"))
    result
  }
}
