// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.setop.SetOpTest

/**
 * Runs each file of `tests/sql` and compares the output with the file of the same name in
 * `tests/golden`: the rows, the verdicts, and the shape of the optimized plan, without ids and
 * paths. The plans are those of Spark 4.2; on other lines only rows and verdicts are compared. For
 * files in the folder `pushdown`, the output is the report on the scans before and after a run.
 *
 * With the environment variable `SIEVE_REGENERATE_GOLDEN=1` the suite writes the golden files
 * instead. Review the difference before you commit it.
 *
 * In a file, a semicolon at the end of a line ends a statement, and a line that begins with `--` is
 * a comment. Statements that are not queries prepare the tables.
 */
class GoldenSuite extends SetOpTest {

  // Spark 3.5 does not set it by default.
  override protected def sparkConf = super.sparkConf.set(SQLConf.ANSI_ENABLED.key, "true")

  private val inputs = Paths.get("tests", "sql")
  private val golden = Paths.get("tests", "golden")
  private val regenerate = sys.env.get("SIEVE_REGENERATE_GOLDEN").contains("1")
  private val plansLine = TestedLine.is("4.2")

  private def files(root: Path, extension: String): Seq[Path] = {
    val found = Files.walk(root)
    try found.iterator.asScala.filter(_.toString.endsWith(extension)).toSeq.sortBy(_.toString)
    finally found.close()
  }

  for (file <- files(inputs, ".sql")) {
    val name = inputs.relativize(file).toString.stripSuffix(".sql")
    test(name) {
      val expected = golden.resolve(s"$name.out")
      val show = if (name.startsWith("pushdown/")) scans _ else section _
      val actual = statements(text(file))
        .map(s => if (isQuery(s)) show(s) else prepare(s))
        .filter(_.nonEmpty)
        .mkString("", "\n", "")
      if (regenerate) {
        Files.createDirectories(expected.getParent)
        Files.write(expected, actual.getBytes("UTF-8"))
      } else assert(compared(actual) == compared(text(expected)))
    }
  }

  test("each golden file has its SQL file") {
    def names(root: Path, extension: String) =
      files(root, extension).map(root.relativize(_).toString.stripSuffix(extension))
    assert(names(golden, ".out").filterNot(_.startsWith("functions")) == names(inputs, ".sql"))
  }

  private def text(file: Path) = new String(Files.readAllBytes(file), "UTF-8")

  private def statements(sqlFile: String): Seq[String] =
    sqlFile.linesIterator
      .filterNot(_.trim.startsWith("--"))
      .mkString("\n")
      .split(";[ ]*(\n|$)")
      .map(_.trim)
      .filter(_.nonEmpty)
      .toSeq

  private def isQuery(statement: String) =
    Seq("SELECT", "WITH", "(", "VALUES").exists(statement.toUpperCase.startsWith)

  private def prepare(statement: String): String = {
    sql(statement)
    ""
  }

  /** The report on the scans of a query: before the run, and the rows that the run adds. */
  private def scans(query: String): String = {
    def said = sql("SELECT * FROM sieve_report(\"" + query + "\") WHERE feature = 'pushdown'")
      .collect()
      .map { r =>
        val what = Seq("rule", "place", "outcome", "reason", "detail").map(r.getAs[String])
        what.filter(_ != null).mkString(" | ")
      }
      .toSeq
    val before = said
    sql(query).collect()
    val after = said.diff(before)
    Seq(
      "query" -> query,
      "scans" -> shape(before.mkString("\n")),
      "run" -> shape(after.mkString("\n"))).map { case (title, body) =>
      s"-- $title\n$body\n"
    }.mkString
  }

  /** The verdicts, the optimized plan and the rows of one query. */
  private def section(statement: String): String = {
    val (plan, entries) = Try(planned(sql(statement))) match {
      case Success((plan, entries)) => (shape(plan.treeString), entries)
      case Failure(e) => fail(s"$statement does not plan", e)
    }
    val verdicts =
      entries.map(e => s"${e.rule}: ${e.reason.fold("applied")(_.code)} at ${e.place}")
    val rows =
      sql(statement).collect().map(_.toSeq.map(String.valueOf).mkString("\t")).sorted.toSeq
    Seq(
      "query" -> statement,
      "verdicts" -> verdicts.mkString("\n"),
      "plan" -> plan,
      "rows" -> rows.mkString("\n")).map { case (title, body) => s"-- $title\n$body\n" }.mkString
  }

  private def shape(plan: String) = plan
    .replaceAll("#\\d+L?", "#")
    .replaceAll("plan_id=\\d+", "plan_id=")
    .replaceAll("file:[^\\s,\\]]+", "file:")
    .linesIterator
    .map(_.replaceAll("\\s+$", ""))
    .mkString("\n")
    .trim

  /** The output to compare: without the plans on Spark lines other than 4.2. */
  private def compared(out: String): String =
    if (plansLine) out else out.replaceAll("(?s)-- plan\n.*?\n-- rows\n", "-- rows\n")
}
