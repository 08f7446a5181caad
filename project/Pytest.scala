// SPDX-License-Identifier: Apache-2.0
import sbt.*

import scala.xml.XML

/** Runs the Python suite in the environment of one pyspark. */
object Pytest {

  /**
   * Installs the wheel of `dist/`, and runs the tests.
   *
   * @param which
   *   options of pytest that choose tests
   */
  def run(root: File, pyspark: String, processes: Int, which: Seq[String]): Counts = {
    val venv = Python.withPyspark(root, pyspark)
    val report = root / "target" / s"pytest-$pyspark.xml"
    IO.delete(report)
    // Each process has a Spark of its own, so the tests of a file stay together.
    val inParallel =
      if (processes == 1) Nil else Seq("-n", processes.toString, "--dist", "loadfile")
    def pip(words: String*) =
      Python.run(root, venv, "python", Seq("-m", "pip", "--quiet") ++ words)
    val ok =
      pip("install", "--force-reinstall", "--no-index", "--find-links", "dist", "sparksieve") &&
        Python.run(
          root,
          venv,
          "python",
          Seq("-m", "pytest", "tests/python", s"--junit-xml=$report") ++ which ++ inParallel
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
}
