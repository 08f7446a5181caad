import sbt.*

/**
 * `./sbt upstream`: suites of Spark's own with Sieve on, on the line that `--line` names. What they
 * are, and what may fail, is in `tests/upstream`; the program there runs and compares them.
 */
object Upstream {

  val command: Command = Command.args("upstream", "<option>") { (state, words) =>
    val (line, rest) = words.indexOf("--line") match {
      case -1 => (SieveBuild.chosenLine, words)
      case at => (SparkVersions(words.lift(at + 1).getOrElse("")), words.patch(at, Nil, 2))
    }
    task(line, rest) :: state
  }

  /** The task that does it. */
  def task(line: SparkLine, words: Seq[String]): String =
    (s"${line.projectId}/runUpstream" +: words).mkString(" ")
}
