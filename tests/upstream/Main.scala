// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.nio.file.{Path, Paths}
import java.util.concurrent.Executors

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.Duration

import org.apache.spark.SPARK_VERSION

/**
 * Runs suites of Spark's own tests with Sieve on, and prints the tests that fail only with Sieve.
 * The results without Sieve are stored for each version of Spark in `tests/upstream`, because they
 * do not depend on Sieve's code. A suite without a stored result also runs without Sieve if one of
 * its tests fails with Sieve; with `--off`, all suites run without Sieve only. A suite with a
 * failure that is neither stored nor excepted runs a second time, because tests of Spark that
 * depend on time fail now and then. Arguments: see [[Options]].
 *
 * Ends with a line `upstream <version>: N tests off, N on, N excepted, only with Sieve: N`. The
 * exit code is 1 if a test fails only with Sieve and is not on the list of exceptions, if no rule
 * of Sieve was applied, or if there is no suite to run.
 */
object Main {

  def main(args: Array[String]): Unit = Options.parse(args.toSeq) match {
    case Left(message) =>
      System.err.println(message)
      sys.exit(2)
    case Right(options) => if (!new Main(options).run()) sys.exit(1)
  }
}

final class Main(options: Options) {

  private val lists = Paths.get("tests", "upstream").toAbsolutePath
  private val offFile = lists.resolve(s"off-$SPARK_VERSION.txt")
  private val state: Path =
    Paths.get(sys.props.getOrElse("sieve.state", "target")).toAbsolutePath.resolve("upstream")
  private val suiteRun = new SuiteRun(state, options.minutes)

  /**
   * Returns false if a test fails only with Sieve and is not excepted, if no rule of Sieve was
   * applied, or if there is no suite to run.
   */
  def run(): Boolean = {
    suiteRun.prepare()
    val (present, absent) = Suites.read(lists.resolve("suites.txt")).partition(suiteRun.has)
    println(s"not in Spark $SPARK_VERSION: ${absent.map(_.name).mkString(", ")}")
    val here = options.chosen(present)
    if (here.isEmpty) {
      println("There is no suite to run.")
      false
    } else if (options.off) {
      runOff(here)
      true
    } else compare(here)
  }

  private def known: Map[String, SuiteResult] = Results.read(offFile)

  private def runOff(suites: Seq[Suite]): Unit = {
    val results = Results.ofRecords(records(suites, sieve = false), suites)
    results.foreach(show)
    // A suite that was stopped has no complete result, and runs again the next time.
    val (stopped, ended) = results.partition(_.stopped)
    Results.write(offFile, SPARK_VERSION, (known ++ ended.map(r => r.suite -> r)).values)
    stopped.foreach(r => println(s"did not come to its end, and is not stored: ${r.suite}"))
    println(s"$offFile: ${ended.size} suites, ${ended.map(_.passed).sum} tests passed")
  }

  private def compare(suites: Seq[Suite]): Boolean = {
    val lines = records(suites, sieve = true)
    val on = Results.ofRecords(lines, suites)
    val exceptions = Exceptions.read(lists.resolve("exceptions.txt"))
    def compared(on: Seq[SuiteResult]) =
      Comparison(suites.flatMap(suite => known.get(suite.name)), on, exceptions)
    def named(names: Set[String]) = suites.filter(suite => names(suite.name))
    on.foreach(show)
    val unknown = compared(on).alarms.map(_.suite).toSet -- known.keySet
    if (unknown.nonEmpty) runOff(named(unknown))
    val comparison = compared(on)
    val again = named(comparison.alarms.map(_.suite).toSet)
    val second = compared(Results.ofRecords(records(again, sieve = true, "again"), again))
    val (alarms, chance) = comparison.alarms.partition(second.repeats)
    chance.foreach(d => println(s"passed the second time: ${d.show}"))
    comparison.needless.foreach(e => println(s"no longer excepted: ${e.suite} - ${e.test}"))
    val applied = Results.applied(lines)
    applied.toSeq.sortBy(_._1).foreach { case ((feature, rule), times) =>
      println(f"$feature%-16s $rule%-36s applied $times%6d times")
    }
    val excepted = comparison.differences.filter(_.reason.nonEmpty)
    excepted.foreach(d => println(d.show))
    alarms.foreach(d => println(s"FAILED ${d.show}"))
    if (applied.isEmpty) println("FAILED No rule of Sieve was applied: it was not on.")
    println(
      s"upstream $SPARK_VERSION: ${comparison.off.map(_.ran).sum} tests off, " +
        s"${on.map(_.ran).sum} on, ${excepted.size} excepted, " +
        s"only with Sieve: ${alarms.size}")
    alarms.isEmpty && applied.nonEmpty
  }

  private def show(result: SuiteResult): Unit =
    println(
      f"${result.millis / 1000}%5d s ${result.passed}%5d passed ${result.failed.size}%4d failed " +
        f"${result.skipped}%4d skipped  ${result.suite}")

  /**
   * Runs the suites in several JVMs and returns their records. The names of the JVMs' folders begin
   * with `name`.
   */
  private def records(suites: Seq[Suite], sieve: Boolean, name: String = "jvm"): Seq[String] = {
    val pool = Executors.newFixedThreadPool(options.jvms)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    val runs = Suites.shares(suites, options.jvms).filter(_.nonEmpty).zipWithIndex.map {
      case (share, n) => Future(suiteRun(share, sieve, s"$name$n"))
    }
    try Await.result(Future.sequence(runs), Duration.Inf).flatten
    finally pool.shutdown()
  }
}
