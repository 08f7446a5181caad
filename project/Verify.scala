import sbt.*
import sbt.complete.Parser

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.Duration
import scala.sys.process.Process
import scala.util.Try
import scala.util.control.NonFatal
import scala.xml.XML

/**
 * `./sbt verify`: runs every check to the end, even after failures; two lines, features or wheels
 * at a time. The last line printed is `N passed, N failed`. The failures are printed just before
 * it, so that they remain in a log whose beginning is cut off. A check without tests of its own
 * counts as one test.
 */
object Verify {

  /** Checks that run together, with their names; `run` returns the counts of each check. */
  private final case class Step(names: String*)(val run: State => Seq[Counts])

  val command: Command = Command.command("verify") { state =>
    val root = Project.extract(state).get(LocalRootProject / Keys.baseDirectory)
    val results = steps(root).flatMap { step =>
      println(s"\n=== ${step.names.mkString(", ")}")
      val start = System.nanoTime()
      val counts =
        try step.run(state)
        catch { case NonFatal(e) => println(e.getMessage); step.names.map(_ => Counts(0, 1)) }
      val seconds = (System.nanoTime() - start) / 1000000000L
      step.names.zip(counts).map { case (name, counts) =>
        val summary = f"$name%-32s $seconds%5d s ${counts.passed}%6d passed " +
          f"${counts.failed}%5d failed ${counts.skipped}%5d skipped"
        println(s"=== $summary")
        val broken =
          if (counts.failed > 0 && counts.failures.isEmpty) Seq(summary) else counts.failures
        (summary, counts.copy(failures = broken.map(failure => s"$name: $failure")))
      }
    }
    val total = results.map(_._2).foldLeft(Counts(0, 0))(_ + _)
    println(results.map(_._1).mkString("\n", "\n", "\n"))
    total.failures.foreach(failure => println(s"FAILED $failure\n"))
    println(s"${total.passed} passed, ${total.failed} failed")
    if (total.failed == 0 && total.passed > 0) state else state.fail
  }

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

  private def steps(root: File): Seq[Step] = {
    val full = SparkVersions.all.filter(_.full)
    val smoke = SparkVersions.all.filterNot(_.full)
    val wheels = Seq(SparkVersions.pyspark, SparkVersions("3.5-2.12")).map(_.spark)
    Seq(
      sbt("format of Scala", "root/scalafmtSbtCheck", "scalafmtCheckAll"),
      dev(root, "format of Python", "ruff", "format", "--check", "python/src", "tests/python"),
      dev(root, "lint of Python", "ruff", "check", "python/src", "tests/python"),
      dev(root, "mutations are of this code", "python", "tests/mutation/run.py", "--check"),
      types(root)
    ) ++
      SparkVersions.all.grouped(2).map(compiles) ++
      // scalafix compiles sources without classes with laxer options, so it runs after the
      // compiler.
      Seq(
        sbt("lint of Scala", "scalafixAll --check"),
        sbt("config documents", "runConfigs --check")) ++
      Seq(suites(full, "every suite", "Test/test"), suites(smoke, "smoke suites", "Test/smoke")) ++
      Seq(Step(features.map(feature => s"differential test of ${feature._1}"): _*) { state =>
        SieveTasks.differential(state, features).map(check)
      }) ++
      Seq(upstream(root), sbt("wheel", "root/wheel"), pytest(root, wheels))
  }

  /**
   * A share of Spark's own suites, another with each commit. On 4.2 only, until the whole list has
   * been run on 3.5 too.
   */
  private def upstream(root: File): Step = {
    def today = java.time.LocalDate.now.toEpochDay.toInt
    // Without the history (an exported tree) the day selects the share.
    val commits =
      Try(Process(Seq("git", "rev-list", "--count", "HEAD"), root).!!.trim.toInt).getOrElse(today)
    val line = SparkVersions("4.2")
    val share = s"${commits % Upstream.Shares + 1}/${Upstream.Shares}"
    val words = Seq("--share", share, "--jvms", "2", "--minutes", "20")
    sbt(s"Spark's own suites on ${line.id}, $share", Upstream.task(line, words))
  }

  private def check(ok: Boolean): Counts = if (ok) Counts(1, 0) else Counts(0, 1)

  private def sbt(name: String, commands: String*): Step =
    Step(name)(state => Seq(check(commands.forall(succeeds(_, state)))))

  private def dev(root: File, name: String, program: String, words: String*): Step =
    Step(name)(_ => Seq(check(Python.run(root, Python.dev(root), program, words))))

  private val compileTests = "Test/compile"

  /** Runs a task on several lines, as many at a time as build.sbt allows. */
  private def together(lines: Seq[SparkLine], task: String): String =
    lines.map(_.projectId + "/" + task).mkString("all ", " ", "")

  /** Compiles several lines at a time, because the compiler mostly uses one processor. */
  private def compiles(lines: Seq[SparkLine]): Step =
    Step(lines.map(line => s"compile ${line.id}"): _*) { state =>
      val ok = succeeds(together(lines, compileTests), state)
      lines.map(line => check(ok || succeeds(together(Seq(line), compileTests), state)))
    }

  /** Runs mypy, which reads pyspark's type hints through the interpreter of `.venv`. */
  private def types(root: File): Step = {
    val interpreter = (Python.main(root) / "bin" / "python").getPath
    val words = Seq(
      "--strict",
      "--config-file",
      "python/pyproject.toml",
      "--python-executable",
      interpreter,
      "python/src"
    )
    Step("types of Python")(_ => Seq(check(Python.run(root, Python.dev(root), "mypy", words))))
  }

  private def suites(lines: Seq[SparkLine], which: String, task: String): Step =
    Step(lines.map(line => s"$which on ${line.id}"): _*) { state =>
      lines.foreach(TestCounter.take)
      val ok = succeeds(together(lines, task), state)
      val counts = lines.map(TestCounter.take)
      // The counts show which line failed, unless it failed before its tests.
      val told = counts.exists(c => c.failed > 0 || c.passed == 0)
      counts.map(_.judged(ok || told))
    }

  /**
   * Tests the wheel in environments with nothing but pyspark and pytest, where it is installed
   * without a package index.
   */
  private def pytest(root: File, pysparks: Seq[String]): Step =
    Step(pysparks.map(pyspark => s"wheel on pyspark $pyspark"): _*) { _ =>
      val runs = pysparks.map(pyspark => Future(pytest(root, pyspark)))
      runs.map(Await.result(_, Duration.Inf))
    }

  private def pytest(root: File, pyspark: String): Counts = {
    val venv = Python.withPyspark(root, pyspark)
    val report = root / "target" / s"pytest-$pyspark.xml"
    IO.delete(report)
    def pip(words: String*) =
      Python.run(root, venv, "python", Seq("-m", "pip", "--quiet") ++ words)
    val ok =
      pip("install", "--force-reinstall", "--no-index", "--find-links", "dist", "sparksieve") &&
        Python.run(
          root,
          venv,
          "python",
          Seq("-m", "pytest", "tests/python", s"--junit-xml=$report")
        )
    reported(report).judged(ok)
  }

  /** Reads the counts from pytest's JUnit report; zero counts if pytest did not write it. */
  private def reported(report: File): Counts = {
    val xml = if (report.exists) Some(XML.loadFile(report)) else None
    val failures = for {
      test <- xml.toSeq.flatMap(_ \\ "testcase")
      why <- (test \ "failure") ++ (test \ "error")
    } yield s"${test \@ "classname"}.${test \@ "name"}: ${why \@ "message"}"
    xml.toSeq.flatMap(_ \\ "testsuite").foldLeft(Counts(0, 0, failures = failures)) {
      (sum, suite) =>
        def number(name: String) = suite.attribute(name).fold(0)(_.text.toInt)
        val failed = number("failures") + number("errors")
        val skipped = number("skipped")
        sum + Counts(number("tests") - failed - skipped, failed, skipped)
    }
  }

  /** Runs an sbt command; false if it, or any command that it starts, fails. */
  private def succeeds(command: String, state: State): Boolean = {
    val failed = Exec("verify-step-failed", None)
    var unparsed = false
    val alone = state.copy(remainingCommands = Nil, onFailure = Some(failed))
    val after = Command.process(command, alone, message => { println(message); unparsed = true })
    !unparsed && !after.remainingCommands.contains(failed)
  }
}
