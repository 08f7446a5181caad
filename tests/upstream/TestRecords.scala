// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.io.{FileWriter, PrintWriter}
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.LongAdder

import scala.jdk.CollectionConverters._

import org.scalatest.{Reporter, ResourcefulReporter}
import org.scalatest.events._

import io.sparksieve.report.core.{PlanningLog, Report}

/**
 * Writes the result of each test of Spark's suites as a line to the file that the system property
 * `sieve.upstream.records` names. ScalaTest writes its own XML only when a suite has ended, and
 * never for a suite that ends the JVM.
 *
 * The fields of a line are separated by tabs: `test`, suite, name, outcome, milliseconds and
 * message; `suite`, name, outcome, milliseconds and message; or `applied`, suite, feature, rule and
 * how often the rule was applied since the previous suite. A suite that Sieve leaves unchanged
 * proves nothing; an `applied` line proves that Sieve is on.
 */
final class TestRecords extends Reporter with ResourcefulReporter {

  private val out = new PrintWriter(new FileWriter(sys.props(TestRecords.Property), true))
  private val applied = new ConcurrentHashMap[(String, String), LongAdder]

  Report.onApplied((feature, rule) =>
    applied.computeIfAbsent((feature, rule), _ => new LongAdder).increment())

  // As with Spark's UI, which Spark's tests switch off: what is kept of a query must not change it.
  PlanningLog.start()

  override def apply(event: Event): Unit = synchronized {
    event match {
      case e: TestSucceeded =>
        test(e.suiteName, e.suiteClassName, e.testName, "passed", e.duration, "")
      case e: TestFailed =>
        val why = e.throwable.fold(e.message)(_.toString)
        test(e.suiteName, e.suiteClassName, e.testName, "failed", e.duration, why)
      case e: TestCanceled =>
        test(e.suiteName, e.suiteClassName, e.testName, "skipped", e.duration, e.message)
      case e: TestPending =>
        test(e.suiteName, e.suiteClassName, e.testName, "skipped", e.duration, "")
      case e: TestIgnored => test(e.suiteName, e.suiteClassName, e.testName, "skipped", None, "")
      case e: SuiteCompleted => suite(e.suiteName, e.suiteClassName, "ended", e.duration, "")
      case e: SuiteAborted =>
        val why = e.throwable.fold(e.message)(_.toString)
        suite(e.suiteName, e.suiteClassName, "aborted", e.duration, why)
      case _ =>
    }
    out.flush()
  }

  override def dispose(): Unit = out.close()

  private def test(
      suiteName: String,
      className: Option[String],
      name: String,
      outcome: String,
      millis: Option[Long],
      message: String): Unit =
    line("test", className.getOrElse(suiteName), name, outcome, millis.getOrElse(0L), message)

  private def suite(
      suiteName: String,
      className: Option[String],
      outcome: String,
      millis: Option[Long],
      message: String): Unit = {
    val name = className.getOrElse(suiteName)
    applied.asScala.toSeq.sortBy(_._1).foreach { case ((feature, rule), count) =>
      val times = count.sumThenReset()
      if (times > 0) line("applied", name, feature, rule, times)
    }
    line("suite", name, outcome, millis.getOrElse(0L), message)
  }

  private def line(fields: Any*): Unit =
    out.println(
      fields
        .map(_.toString.replaceAll("\\s+", " ").trim.take(TestRecords.MaxChars))
        .mkString("\t"))
}

object TestRecords {

  val Property = "sieve.upstream.records"

  /** The maximum length of a field: enough to show the cause of a failure, but no whole plan. */
  private val MaxChars = 1500
}
