// SPDX-License-Identifier: Apache-2.0
import sbt.*

/**
 * `./sbt upstream`: runs Spark's own suites with Sieve on, on the line that `--line` names. The
 * list of suites and the accepted failures are in `tests/upstream`; the program there runs the
 * suites and compares their results.
 */
object Upstream {

  val command: Command = Command.args("upstream", "<option>") { (state, words) =>
    val (line, rest) = words.indexOf("--line") match {
      case -1 => (SieveBuild.chosenLine, words)
      case at => (SparkVersions(words.lift(at + 1).getOrElse("")), words.patch(at, Nil, 2))
    }
    task(line, rest) :: state
  }

  /** `verify` divides the suites of a line into this many shares of about equal time. */
  val Shares = 18

  /** The sbt task, with its arguments, that runs the suites on `line`. */
  def task(line: SparkLine, words: Seq[String]): String =
    (s"${line.projectId}/runUpstream" +: words).mkString(" ")
}
