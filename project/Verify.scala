// SPDX-License-Identifier: Apache-2.0
import sbt.*

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.Duration
import scala.sys.process.Process
import scala.util.Try
import scala.util.control.NonFatal

/**
 * `./sbt verify` runs the checks of a change: format, lint, types, the suites on one line, a sample
 * of the differential tests, and the wheel on its newest pyspark. `./sbt verify --all`, which CI
 * runs, adds some exhaustive tests, the other lines, an older pyspark, some mutations, and a share of
 * Spark's own suites.
 * `--only wheel` runs only the checks with this part in their names.
 *
 * Runs every check to the end, even after failures; two JVMs at a time. At the end prints the time
 * of each check, the slowest suites, the failures, and, as the last line, `N passed, N failed`. The
 * failures are just before the last line, so that they remain in a log whose beginning is cut off.
 * A check without tests of its own counts as one test.
 */
object Verify {

  import Step.{check, sbt, succeeds}

  /**
   * For checks of a part of something, another part in another run. CI stops after 90 minutes, and
   * what has not ended by then has failed, so a slow machine skips samples.
   */
  private val LatestSample = 65

  /** How many suites the list of the slowest has. */
  private val Slowest = 12

  val command: Command = Command.args("verify", "<option>") { (state, words) =>
    val root = Project.extract(state).get(LocalRootProject / Keys.baseDirectory)
    lazy val steps = if (words.contains("--all")) everything(root) else change(root)
    words.filterNot(_ == "--all").toList match {
      case Nil => run(state, steps)
      case "--only" :: name :: Nil if steps.exists(_.has(name)) =>
        run(state, steps.filter(_.has(name)))
      case wrong =>
        println(
          s"verify: no check is '${wrong.mkString(" ")}'. usage: ./sbt verify [--all] [--only " +
            s"PART], with a part of the name of a check: ${steps.flatMap(_.names).mkString(", ")}")
        state.fail
    }
  }

  private def run(state: State, steps: Seq[Step]): State = {
    val begin = System.nanoTime()
    def seconds(since: Long) = (System.nanoTime() - since) / 1000000000L
    val results = steps.flatMap { step =>
      println(s"\n=== ${step.names.mkString(", ")}")
      val start = System.nanoTime()
      val late = seconds(begin) / 60 >= step.latest
      val counts =
        if (late) step.names.map(_ => Counts(0, 0, skipped = 1))
        else
          try step.run(state)
          catch {
            case NonFatal(e) => println(e.getMessage); step.names.map(_ => Counts(0, 1))
          }
      val took = seconds(start)
      step.names.zip(counts).map { case (name, counts) =>
        val summary = f"$name%-32s $took%5d s ${counts.passed}%6d passed " +
          f"${counts.failed}%5d failed ${counts.skipped}%5d skipped" +
          (if (late) s" (not started after minute ${step.latest})" else "")
        println(s"=== $summary")
        val broken =
          if (counts.failed > 0 && counts.failures.isEmpty) Seq(summary) else counts.failures
        (summary, counts.copy(failures = broken.map(failure => s"$name: $failure")))
      }
    }
    val total = results.map(_._2).foldLeft(Counts(0, 0))(_ + _)
    println("\nChecks that ran together have one time.")
    println(results.map(_._1).mkString("", "\n", "\n"))
    val slowest = TestCounter.slowest(Slowest)
    if (slowest.nonEmpty) println("The slowest suites:")
    slowest.foreach { case (line, suite, took) => println(f"$suite%-44s $line%-8s $took%5d s") }
    println(f"verify took ${seconds(begin) / 60.0}%.1f minutes")
    total.failures.foreach(failure => println(s"FAILED $failure\n"))
    println(s"${total.passed} passed, ${total.failed} failed")
    if (total.failed == 0 && total.passed > 0) state else state.fail
  }

  /** The checks of a change. */
  private def change(root: File): Seq[Step] = {
    val line = SparkVersions.default
    StyleChecks(root) ++ Seq(compiles(Seq(line))) ++ compiled ++ Seq(
      someSuites(line)(SuiteTimes.withoutExhaustive(_)),
      sbt("wheel", "root/wheel"),
      pytest(root, Seq(SparkVersions.pyspark.spark), Seq("-m", "not exhaustive")),
      differential(sample = 4)
    )
  }

  /**
   * All checks, those that may be skipped last. On the line of development every suite runs, but a
   * third of the exhaustive ones. Of the other full line a sixth runs, and the smoke suites run on
   * every second of the other lines. The other parts run with the next commits.
   */
  private def everything(root: File): Seq[Step] = {
    val first = SparkVersions.default
    val others = SparkVersions.all.filter(_.full).filterNot(_ == first)
    val number = commits(root)
    val smoke = Part.at(number, 2).of(SparkVersions.all.filterNot(_.full))
    val wheels = Seq(SparkVersions.pyspark, SparkVersions("3.5-2.12")).map(_.spark)
    StyleChecks(root) ++ SparkVersions.all.grouped(2).map(compiles) ++ compiled ++ Seq(
      someSuites(first)(SuiteTimes.withSomeExhaustive(_, Part.at(number, 3))),
      smokeSuites(smoke),
      sbt("documentation", "root/docs"),
      sbt("wheel", "root/wheel"),
      pytest(root, wheels)
    ) ++ others.map(partOf(_, Part.at(number, 6))) ++
      Seq(differential(sample = 2), mutations(root, first, number), upstream(number))
  }

  /**
   * The checks that need compiled classes: without them, scalafix compiles the sources with laxer
   * options.
   */
  private def compiled: Seq[Step] =
    Seq(sbt("lint of Scala", "scalafixAll --check"), sbt("config documents", "runConfigs --check"))

  /**
   * The features that have a generator in the differential tester, with the number of queries of
   * each; the slowest feature first.
   */
  private val features =
    Seq(
      "bulkfilter" -> 60,
      "dynamicfilter" -> 100,
      "setop" -> 200,
      "adaptivefilter" -> 150,
      "rangesource" -> 150)

  /** Runs one in `sample` of the queries of each feature. */
  private def differential(sample: Int): Step =
    Step(features.map(feature => s"differential test of ${feature._1}"), LatestSample) { state =>
      val some = features.map { case (feature, queries) => feature -> queries / sample }
      SieveTasks.differential(state, some).map(check)
    }

  /** A share of Spark's own suites, with each commit another share or the other line. */
  private def upstream(commits: Int): Step = {
    val line = SparkVersions(if (commits / Upstream.Shares % 2 == 0) "4.2" else "3.5-2.13")
    val share = Part.at(commits, Upstream.Shares)
    val words = Seq("--share", share.toString, "--jvms", "2", "--minutes", "20")
    Step(Seq(s"Spark's own suites on ${line.id}, $share"), LatestSample)(state =>
      Seq(check(succeeds(Upstream.task(line, words), state))))
  }

  /** Two of the mutations, others with each commit. */
  private def mutations(root: File, line: SparkLine, commits: Int): Step = {
    val share = commits % Mutations.Shares
    Step(Seq(s"mutations, share $share of ${Mutations.Shares}"), LatestSample)(state =>
      Seq(Mutations.run(state, root, line, share)(succeeds(together(Seq(line), compileTests), _))))
  }

  /** The number of commits, or, without the history (an exported tree), of days. */
  private def commits(root: File): Int = {
    def today = java.time.LocalDate.now.toEpochDay.toInt
    Try(Process(Seq("git", "rev-list", "--count", "HEAD"), root).!!.trim.toInt).getOrElse(today)
  }

  private val compileTests = "Test/compile"

  /** Runs a task on several lines, as many at a time as build.sbt allows. */
  def together(lines: Seq[SparkLine], task: String): String =
    lines.map(_.projectId + "/" + task).mkString("all ", " ", "")

  /** Compiles several lines at a time, because the compiler mostly uses one processor. */
  private def compiles(lines: Seq[SparkLine]): Step =
    Step(lines.map(line => s"compile ${line.id}")) { state =>
      val ok = succeeds(together(lines, compileTests), state)
      lines.map(line => check(ok || succeeds(together(Seq(line), compileTests), state)))
    }

  private def partOf(line: SparkLine, part: Part): Step =
    Step(Seq(s"suites on ${line.id}, $part"), LatestSample) { state =>
      chosenSuites(line, state)(SuiteTimes.partOfEach(_, jvms = 2, part))
    }

  private def someSuites(line: SparkLine)(choice: Seq[String] => Seq[String]): Step =
    Step(Seq(s"suites on ${line.id}"))(state => chosenSuites(line, state)(choice))

  private def chosenSuites(line: SparkLine, state: State)(
      choice: Seq[String] => Seq[String]): Seq[Counts] = {
    val project = LocalProject(line.projectId)
    val (_, names) = Project.extract(state).runTask(project / Test / Keys.definedTestNames, state)
    val task = s"${line.projectId}/Test/testOnly ${choice(names).mkString(" ")}"
    counted(Seq(line))(succeeds(task, state))
  }

  private def smokeSuites(lines: Seq[SparkLine]): Step =
    Step(lines.map(line => s"smoke suites on ${line.id}")) { state =>
      counted(lines)(succeeds(together(lines, "Test/smoke"), state))
    }

  /** The counts of the tests that `run` runs on each line; `run` returns whether all passed. */
  private def counted(lines: Seq[SparkLine])(run: => Boolean): Seq[Counts] = {
    lines.foreach(TestCounter.take)
    val ok = run
    val counts = lines.map(TestCounter.take)
    // The counts show which line failed, unless it failed before its tests.
    val known = counts.exists(c => c.failed > 0 || c.passed == 0)
    counts.map(_.judged(ok || known))
  }

  /**
   * Tests the wheel in environments with nothing but pyspark and pytest, where it is installed
   * without a package index.
   */
  private def pytest(root: File, pysparks: Seq[String], which: Seq[String] = Nil): Step =
    Step(pysparks.map(pyspark => s"wheel on pyspark $pyspark")) { _ =>
      val processes = if (pysparks.size == 1) 2 else 1
      val runs = pysparks.map(pyspark => Future(Pytest.run(root, pyspark, processes, which)))
      runs.map(Await.result(_, Duration.Inf))
    }
}
