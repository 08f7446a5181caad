package io.sparksieve.upstream

import java.nio.file.{Path, Paths}
import java.util.concurrent.Executors

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration.Duration

import org.apache.spark.SPARK_VERSION

/**
 * Runs suites of Spark's own tests with Sieve on, and prints the tests that fail only with it. What
 * the same tests come to without Sieve is stored for each version of Spark in `tests/upstream`,
 * because it changes with no code of Sieve's. A suite that is not stored there runs without Sieve
 * too if a test of it fails with Sieve; all of them do with `--off`. Arguments: see [[Options]].
 *
 * Ends with a line `upstream <version>: N tests off, N on, only with Sieve: N`, and with exit code 1
 * if a test fails only with Sieve and is not on the list of exceptions.
 */
object Main {

  def main(args: Array[String]): Unit = Options.parse(args.toList) match {
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

  /** True unless a test fails with Sieve that neither fails without nor is excepted. */
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
    // A suite that was stopped says nothing of its tests, and is run again the next time.
    val (stopped, ended) = results.partition(_.stopped)
    Results.write(offFile, SPARK_VERSION, (known ++ ended.map(r => r.suite -> r)).values)
    stopped.foreach(r => println(s"did not come to its end, and is not stored: ${r.suite}"))
    println(s"$offFile: ${ended.size} suites, ${ended.map(_.passed).sum} tests passed")
  }

  private def compare(suites: Seq[Suite]): Boolean = {
    val lines = records(suites, sieve = true)
    val on = Results.ofRecords(lines, suites)
    val exceptions = Exceptions.read(lists.resolve("exceptions.txt"))
    def compared = Comparison(suites.flatMap(suite => known.get(suite.name)), on, exceptions)
    val failed = compared.alarms.map(_.suite).toSet -- known.keySet
    if (failed.nonEmpty) runOff(suites.filter(suite => failed(suite.name)))
    val comparison = compared
    on.foreach(show)
    comparison.needless.foreach(e => println(s"no longer excepted: ${e.suite} - ${e.test}"))
    val applied = Results.applied(lines)
    applied.toSeq.sortBy(_._1).foreach { case ((feature, rule), times) =>
      println(f"$feature%-16s $rule%-36s applied $times%6d times")
    }
    val excepted = comparison.differences.filter(_.reason.nonEmpty)
    excepted.foreach(d => println(d.show))
    comparison.alarms.foreach(d => println(s"FAILED ${d.show}"))
    if (applied.isEmpty) println("FAILED No rule of Sieve was applied: it was not on.")
    println(
      s"upstream $SPARK_VERSION: ${comparison.off.map(_.ran).sum} tests off, " +
        s"${on.map(_.ran).sum} on, ${excepted.size} excepted, " +
        s"only with Sieve: ${comparison.alarms.size}")
    comparison.alarms.isEmpty && applied.nonEmpty
  }

  private def show(result: SuiteResult): Unit =
    println(
      f"${result.millis / 1000}%5d s ${result.passed}%5d passed ${result.failed.size}%4d failed " +
        f"${result.skipped}%4d skipped  ${result.suite}")

  /** The records of the suites, which some JVMs share. */
  private def records(suites: Seq[Suite], sieve: Boolean): Seq[String] = {
    val pool = Executors.newFixedThreadPool(options.jvms)
    implicit val context: ExecutionContext = ExecutionContext.fromExecutor(pool)
    val runs = Suites.shares(suites, options.jvms).filter(_.nonEmpty).zipWithIndex.map {
      case (share, n) => Future(suiteRun(share, sieve, s"jvm$n"))
    }
    try Await.result(Future.sequence(runs), Duration.Inf).flatten
    finally pool.shutdown()
  }
}
