import sbt.*
import sbt.complete.Parser

import scala.util.control.NonFatal
import scala.xml.XML

/**
 * `./sbt verify`: every check there is, one after the other and to the end, whatever fails on the
 * way. The last line printed is `N passed, N failed`, and before it stands what failed, for a log
 * whose beginning is cut off; a check that has no tests of its own counts as one.
 */
object Verify {

  /** A named check; what it returns says how many tests passed and failed. */
  private final case class Step(name: String)(val run: State => Counts)

  val command: Command = Command.command("verify") { state =>
    val root = Project.extract(state).get(LocalRootProject / Keys.baseDirectory)
    val results = steps(root).map { step =>
      println(s"\n=== ${step.name}")
      val start = System.nanoTime()
      val counts =
        try step.run(state)
        catch { case NonFatal(e) => println(e.getMessage); Counts(0, 1) }
      val seconds = (System.nanoTime() - start) / 1000000000L
      val summary = f"${step.name}%-32s $seconds%5d s ${counts.passed}%6d passed " +
        f"${counts.failed}%5d failed ${counts.skipped}%5d skipped"
      println(s"=== $summary")
      val broken =
        if (counts.failed > 0 && counts.failures.isEmpty) Seq(summary) else counts.failures
      (summary, counts.copy(failures = broken.map(failure => s"${step.name}: $failure")))
    }
    val total = results.map(_._2).foldLeft(Counts(0, 0))(_ + _)
    println(results.map(_._1).mkString("\n", "\n", "\n"))
    total.failures.foreach(failure => println(s"FAILED $failure\n"))
    println(s"${total.passed} passed, ${total.failed} failed")
    if (total.failed == 0 && total.passed > 0) state else state.fail
  }

  /** The rooms that have a generator in the differential tester, and how many queries each gets. */
  private val rooms =
    Seq("setop" -> 200, "dynamicfilter" -> 100, "adaptivefilter" -> 150, "bulkfilter" -> 100)

  private def steps(root: File): Seq[Step] = {
    val full = SparkVersions.all.filter(_.full)
    val smoke = SparkVersions.all.filterNot(_.full)
    val wheels = Seq(SparkVersions.pyspark, SparkVersions("3.5-2.12")).map(_.spark)
    Seq(
      sbt("format of Scala", "root/scalafmtSbtCheck", "scalafmtCheckAll"),
      dev(root, "format of Python", "ruff", "format", "--check", "python/src", "tests/python"),
      dev(root, "lint of Python", "ruff", "check", "python/src", "tests/python"),
      types(root)
    ) ++
      SparkVersions.all.map(line =>
        sbt(s"compile ${line.id}", s"${line.projectId}/Test/compile")) ++
      // scalafix compiles with laxer options what has no classes yet, so it comes after the compiler.
      Seq(sbt("lint of Scala", "scalafixAll --check"), sbt("knob documents", "runKnobs --check")) ++
      full.map(line => suites(line, "every suite", "test")) ++
      smoke.map(line => suites(line, "smoke suites", "testOnly *SmokeSuite")) ++
      rooms.map { case (room, queries) =>
        sbt(s"differential test of $room", s"runDifferential $room --queries $queries")
      } ++
      Seq(sbt("wheel", "root/wheel")) ++
      wheels.map(pytest(root, _))
  }

  private def check(ok: Boolean): Counts = if (ok) Counts(1, 0) else Counts(0, 1)

  private def sbt(name: String, commands: String*): Step =
    Step(name)(state => check(commands.forall(succeeds(_, state))))

  private def dev(root: File, name: String, program: String, words: String*): Step =
    Step(name)(_ => check(Python.run(root, Python.dev(root), program, words)))

  /** mypy sees pyspark's own hints through the interpreter of `.venv`. */
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
    Step("types of Python")(_ => check(Python.run(root, Python.dev(root), "mypy", words)))
  }

  private def suites(line: SparkLine, which: String, task: String): Step =
    Step(s"$which on ${line.id}") { state =>
      TestCounter.take()
      val ok = succeeds(s"${line.projectId}/$task", state)
      TestCounter.take().judged(ok)
    }

  /**
   * The wheel in an environment that has nothing but pyspark and pytest, installed without a
   * package index.
   */
  private def pytest(root: File, pyspark: String): Step =
    Step(s"wheel on pyspark $pyspark") { _ =>
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

  /** What pytest's JUnit report says; nothing if pytest did not get as far as writing it. */
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

  /** Runs one command line of sbt's; false when it, or anything it leads to, fails. */
  private def succeeds(command: String, state: State): Boolean = {
    val failed = Exec("verify-step-failed", None)
    var unparsed = false
    val alone = state.copy(remainingCommands = Nil, onFailure = Some(failed))
    val after = Command.process(command, alone, message => { println(message); unparsed = true })
    !unparsed && !after.remainingCommands.contains(failed)
  }
}
