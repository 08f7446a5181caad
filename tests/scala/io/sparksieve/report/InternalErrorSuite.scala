// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import org.apache.logging.log4j.Level

import org.apache.spark.SparkConf
import org.apache.spark.sql.{Row, SparkSessionExtensions, SparkSessionExtensionsProvider}
import org.apache.spark.sql.catalyst.plans.logical.{Except, LogicalPlan}

import io.sparksieve.{SieveExtensions, SieveTest}
import io.sparksieve.report.core.{Guarded, Reason, Report}
import io.sparksieve.setop.proof.SetOpContext
import io.sparksieve.setop.rewrite.{RewriteSetOperations, SessionRewriteSetOperations, SetOpRewrite}

/** A rewrite that throws leaves the plan unchanged and logs one warning; other rules still run. */
class InternalErrorSuite extends SieveTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.sql.extensions", classOf[FailingExtensions].getName)

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE t USING parquet AS SELECT id AS a, id % 3 AS b FROM range(10)")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS t")
    finally super.afterAll()

  private val intersect = "SELECT a FROM t INTERSECT SELECT a FROM t WHERE a = 1"

  private def warnings(body: => Unit): Seq[String] = {
    val log = new LogAppender("warnings of Guarded")
    withLogAppender(log, Seq(Guarded.getClass.getName.stripSuffix("$")), Some(Level.WARN))(body)
    log.loggingEvents.filter(_.getLevel == Level.WARN).map(_.getMessage.getFormattedMessage).toSeq
  }

  private def failing(error: => Throwable): SetOpRewrite = new SetOpRewrite {
    override def name = "Failing"
    override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
      case _: Except => throw error
      case _ => plan
    }
  }

  private def rule(rewrites: SetOpRewrite*) =
    new RewriteSetOperations(rewrites, _ => new SetOpContext(spark.sessionState.conf))

  test("the plan is the one given, one WARN is logged, the reason carries the message") {
    val plan = sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1").queryExecution.analyzed
    for (error <- Seq(
        new IllegalStateException("boom"),
        new StackOverflowError,
        new MatchError("boom"))) {
      var result = (plan, Seq.empty[Report.Entry])
      val logged = warnings { result = Report.collecting(rule(failing(error))(plan)) }
      assert(result._1 eq plan)
      assert(
        logged.length == 1 && logged.head.contains("Failing") && logged.head.contains(
          error.toString),
        logged)
      assert(
        result._2.map(e => (e.rule, e.reason, e.detail)) ==
          Seq(("Failing", Some(Reason.InternalError), error.toString)))
    }
  }

  test("the rules that come after still have their turn") {
    val plan = sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1").queryExecution.analyzed
    val all = failing(new IllegalStateException("boom")) +: RewriteSetOperations.Rewrites
    val (result, entries) = Report.collecting(rule(all: _*)(plan))
    assert(result.collect { case e: Except => e }.isEmpty)
    assert(entries.map(_.outcome) == Seq("declined", "applied"))
  }

  test("errors that no program should catch are not caught") {
    val plan = sql("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a = 1").queryExecution.analyzed
    intercept[InterruptedException](rule(failing(new InterruptedException))(plan))
    intercept[OutOfMemoryError](rule(failing(new OutOfMemoryError("asked for")))(plan))
  }

  test("end to end, through a session extension") {
    val query = "SELECT a FROM t EXCEPT ALL SELECT a FROM t WHERE a = 1"
    val logged = warnings {
      checkAnswer(sql(query), (0 to 9).filter(_ != 1).map(i => Row(i.toLong)))
    }
    assert(logged.nonEmpty && logged.forall(_.contains("AlwaysFailing")), logged)
    val rows = sql(s"SELECT rule, outcome, reason, detail FROM sieve_report('$query')").collect()
    assert(
      rows.toSeq.contains(
        Row(
          "AlwaysFailing",
          "declined",
          "internal-error",
          "java.lang.UnsupportedOperationException: on purpose")))
    checkAnswer(sql(intersect), Row(1L))
  }

  test("a failure outside any rewrite is caught as well") {
    val plan = sql(intersect).queryExecution.analyzed
    val broken = SessionRewriteSetOperations(spark, Seq(null))
    val (result, entries) = Report.collecting(broken(plan))
    assert(result eq plan)
    assert(entries.map(_.reason) == Seq(Some(Reason.InternalError)))
  }
}

/** Sieve, with a rewrite in front of it that fails on every EXCEPT. */
class FailingExtensions extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectPlanNormalizationRule(SessionRewriteSetOperations(_, Seq(AlwaysFailing)))
    new SieveExtensions().apply(extensions)
  }
}

object AlwaysFailing extends SetOpRewrite {
  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case _: Except => throw new UnsupportedOperationException("on purpose")
    case _ => plan
  }
}
