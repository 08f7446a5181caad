// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/**
 * The results of the tests of one suite.
 *
 * @param suite
 *   the name of the suite, as in [[Suite]]
 * @param failed
 *   the message of each failed test; [[SuiteResult.Itself]] is the suite outside its tests
 * @param millis
 *   the milliseconds that the suite took, including its preparation
 */
final case class SuiteResult(
    suite: String,
    passed: Int,
    skipped: Int,
    failed: Map[String, String],
    millis: Long = 0) {

  /** The number of tests that passed or failed. */
  def ran: Int = passed + (failed - SuiteResult.Itself).size

  /** The number of tests that the suite has, if the suite ended. */
  def tests: Int = ran + skipped

  /** Whether the suite was interrupted, or never started. */
  def stopped: Boolean = failed.get(SuiteResult.Itself).contains(SuiteResult.NotEnded)
}

object SuiteResult {

  /** In place of the test that failed, if the suite failed outside its tests or did not end. */
  val Itself = "(suite)"

  /** The message of a suite whose end was not recorded. */
  val NotEnded = "it did not come to its end"
}

/** The results of a run, by suite. */
object Results {

  /**
   * The results of `suites` by the lines that [[TestRecords]] wrote. A suite whose end was not
   * written has failed.
   */
  def ofRecords(lines: Seq[String], suites: Seq[Suite]): Seq[SuiteResult] = {
    val records = lines.map(_.split("\t", -1).toSeq)
    val tests = records
      .collect { case "test" +: className +: test +: outcome +: rest =>
        (className, test, outcome, rest.lift(1).getOrElse(""))
      }
      .groupBy(_._1)
    val ends = records.collect { case Seq("suite", className, outcome, millis, message) =>
      className -> ((outcome, millis.toLong, message))
    }.toMap
    suites.map { suite =>
      val mine = tests.getOrElse(suite.className, Nil).filter { case (_, test, _, _) =>
        suite.part.forall(_ == Suite.partOf(test))
      }
      def named(outcome: String) = mine.filter(_._3 == outcome)
      val end = ends.get(suite.className)
      val broken = end match {
        case None => Some(SuiteResult.NotEnded)
        case Some(("aborted", _, message)) => Some(message)
        case _ => None
      }
      SuiteResult(
        suite.name,
        named("passed").size,
        named("skipped").size,
        named("failed").map { case (_, test, _, message) => test -> message }.toMap ++
          broken.map(SuiteResult.Itself -> _),
        end.fold(0L)(_._2)
      )
    }
  }

  /** How often each rule of Sieve was applied, by feature and rule. */
  def applied(lines: Seq[String]): Map[(String, String), Long] =
    lines
      .map(_.split("\t", -1).toSeq)
      .collect { case Seq("applied", _, feature, rule, times) => (feature, rule) -> times.toLong }
      .groupBy(_._1)
      .map { case (rule, found) => rule -> found.map(_._2).sum }

  /**
   * Reads the results without Sieve that the repository stores for a version of Spark: for each
   * suite, how many tests passed and were skipped, and the names of the tests that failed.
   */
  def read(file: Path): Map[String, SuiteResult] =
    if (!Files.exists(file)) Map.empty
    else {
      val lines = Files.readAllLines(file).asScala.filterNot(_.startsWith("#")).map(_.split("\t"))
      val failed = lines.collect { case Array("", suite, test) => suite -> test }.groupBy(_._1)
      lines.collect {
        case Array(suite, passed, skipped) if suite.nonEmpty =>
          val tests = failed.getOrElse(suite, Nil).map(_._2 -> "").toMap
          suite -> SuiteResult(suite, passed.toInt, skipped.toInt, tests)
      }.toMap
    }

  /** Writes results as [[read]] reads them. */
  def write(file: Path, version: String, results: Iterable[SuiteResult]): Unit = {
    val head = Seq(
      s"# What the suites of Spark $version come to without Sieve: suite, passed, skipped; below it",
      "# the tests that fail. Written by ./sbt \"upstream --off\", which says more about it."
    )
    val body = results.toSeq.sortBy(_.suite).flatMap { result =>
      s"${result.suite}\t${result.passed}\t${result.skipped}" +:
        result.failed.keys.toSeq.sorted.map(test => s"\t${result.suite}\t$test")
    }
    Files.write(file, (head ++ body).asJava)
  }
}
