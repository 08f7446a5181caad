// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*

import java.io.ByteArrayOutputStream

/**
 * Runs some of the mutations in `tests/mutation`. Each breaks one source file in one place, and then
 * one of its suites must fail. The files are restored at the end.
 */
object Mutations {

  /** A mutation runs with one commit in this many, with the others of its share. */
  val Shares = 160

  private final case class Mutation(name: String, file: File, text: String, suites: Seq[String])

  /**
   * Runs share number `share`, from 0, of the mutations on `line`, and prints a line for each.
   *
   * @return
   *   a mutation passes if a suite fails, fails if no suite does, and is skipped if the compiler
   *   rejects the code
   */
  def run(strict: State, root: File, line: SparkLine, share: Int)(
      compile: State => Boolean): Counts = {
    val mutations = read(root, share)
    val project = LocalProject(line.projectId)
    // A mutation may leave code unused.
    val options = project / scalacOptions ~= (_.filterNot(CompilerOptions.fatal.contains))
    val state = Project.extract(strict).appendWithSession(Seq(options), strict)
    def compiles = compile(state)
    val counts = mutations.map { mutation =>
      val original = IO.read(mutation.file)
      try {
        IO.write(mutation.file, mutation.text)
        if (!compiles) said(mutation, "the compiler rejects it", Counts(0, 0, skipped = 1))
        else if (passes(state, root, project, mutation.suites)) {
          said(mutation, "NO TEST FAILS", Counts(0, 1, failures = Seq(mutation.name)))
        } else said(mutation, "a test fails, as it should", Counts(1, 0))
      } finally IO.write(mutation.file, original)
    }
    if (!compiles) sys.error("The code does not compile after the mutations.")
    counts.foldLeft(Counts(0, 0))(_ + _)
  }

  private def said(mutation: Mutation, verdict: String, counts: Counts): Counts = {
    println(s"${mutation.name}: $verdict")
    counts
  }

  /** The mutations of a share, which `tests/mutation/run.py` writes as files. */
  private def read(root: File, share: Int): Seq[Mutation] = {
    val folder = root / "target" / "mutations"
    IO.delete(folder)
    val words =
      Seq("tests/mutation/run.py", "--write", folder.getPath, "--share", s"$share/$Shares")
    if (!Python.run(root, Python.main(root), "python", words))
      sys.error("The mutations could not be made: see the message above.")
    folder.listFiles.toSeq.sortBy(_.getName).map { one =>
      Mutation(
        IO.read(one / "name"),
        root / IO.read(one / "path"),
        IO.read(one / "text"),
        IO.readLines(one / "suites"))
    }
  }

  /**
   * Whether all tests of some suites pass. Their output is not shown: the failures in it, which
   * should be there, would confuse a reader.
   */
  private def passes(
      state: State,
      root: File,
      project: ProjectReference,
      suites: Seq[String]): Boolean = {
    val extracted = Project.extract(state)
    val (_, names) = extracted.runTask(project / Test / definedTestNames, state)
    val (_, classpath) = extracted.runTask(project / Test / fullClasspath, state)
    val (_, options) = extracted.runTask(project / Test / javaOptions, state)
    val chosen = names.filter(name => suites.exists(suite => s".$name".endsWith(s".$suite")))
    val words = "-oW" +: chosen.flatMap(Seq("-s", _))
    val output = new ByteArrayOutputStream
    val runner = "org.scalatest.tools.Runner"
    val ok =
      SieveTasks.fork(root, options, classpath, runner, words, CustomOutput(output)) == 0
    val lines = output.toString("UTF-8").linesIterator.toVector
    val failed = lines.exists(line => Failure.findFirstIn(line).nonEmpty)
    if (!ok && !failed) sys.error(s"The tests could not run: ${lines.takeRight(20).mkString("\n")}")
    ok
  }

  /** A test, a suite or the whole run that failed, in ScalaTest's output. */
  private val Failure = """\*\*\* (FAILED|ABORTED|RUN ABORTED) \*\*\*""".r
}
