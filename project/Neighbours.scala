// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*
import sbt.complete.DefaultParsers.spaceDelimited

/**
 * `./sbt neighbours`: runs queries in sessions with Sieve and another extension, in both orders. The
 * program is `tests/neighbours`; this passes it, for each extension, the Python with the pyspark of
 * its line and the jars.
 */
object Neighbours {

  private val hudi =
    new ExtraJar("hudi", "org.apache.hudi" % "hudi-spark3.5-bundle_2.12" % "1.2.0")

  private val runNeighbours = inputKey[Unit]("Runs queries beside other extensions.")

  val command: Command = Command.args("neighbours", "<option>") { (state, words) =>
    (s"root/${runNeighbours.key.label}" +: words).mkString(" ") :: state
  }

  /** Settings of the root project. */
  def root: Seq[Setting[?]] = hudi.root ++ Seq(
    runNeighbours := {
      val words = spaceDelimited("<arg>").parsed
      val base = baseDirectory.value
      val jars = Seq(
        ("delta", "4.2", tested("4.2", "delta-").value, sieve("4.2").value),
        ("iceberg", "4.1", tested("4.1", "iceberg-").value, sieve("4.1").value),
        ("hudi", "3.5-2.12", hudi.files.value, sieve("3.5-2.12").value),
        ("comet", Peers.line.id, Peers.comet.files.value, sieve(Peers.line.id).value)
      )
      val options = jars.flatMap { case (name, line, jars, sieve) =>
        val python = Python.withPyspark(base, SparkVersions(line).spark) / "bin" / "python"
        val path = jars.map(_.getPath).mkString(java.io.File.pathSeparator)
        Seq("--with", name, python.getPath, sieve.getPath, path)
      }
      val folders = Seq(base / "python" / "src", base / "tests")
      if (!Python.module(base, Python.main(base), "neighbours", folders, options ++ words))
        throw new MessageOnlyException("neighbours failed: see its output above.")
    }
  )

  /** The jar of a line. */
  private def sieve(line: String): Def.Initialize[Task[File]] =
    LocalProject(SparkVersions(line).projectId) / Compile / packageBin

  /** The jars with these names among the libraries of a line's tests. */
  private def tested(line: String, prefix: String): Def.Initialize[Task[Seq[File]]] = Def.task {
    val all =
      (LocalProject(SparkVersions(line).projectId) / Test / externalDependencyClasspath).value
    all.files.filter(_.getName.startsWith(prefix))
  }
}
