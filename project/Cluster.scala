// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*
import sbt.complete.DefaultParsers.spaceDelimited

/**
 * `./sbt cluster`: runs the demo's cases on a standalone cluster whose parts fail. The program is
 * `tests/cluster`; this passes it the jar, and the Python with pyspark.
 */
object Cluster {

  private val runCluster = inputKey[Unit]("Runs the demo's cases on a cluster whose parts fail.")

  val command: Command = Command.args("cluster", "<option>") { (state, words) =>
    (s"root/${runCluster.key.label}" +: words).mkString(" ") :: state
  }

  /** Settings of the root project. */
  def root: Seq[Setting[?]] = Seq(
    runCluster := {
      val words = spaceDelimited("<arg>").parsed
      val base = baseDirectory.value
      val jar = (LocalProject(SparkVersions.pyspark.projectId) / Compile / packageBin).value
      val folders = Seq(base / "python" / "src", base / "tests")
      val options = Seq("--jar", jar.getPath) ++ jdk
      if (!Python.module(base, Python.main(base), "cluster", folders, options ++ words))
        throw new MessageOnlyException("cluster failed: see its output above.")
    }
  )

  /** The JDK that `./sbt` uses; without the variable it is the one on the PATH, as for Spark. */
  private def jdk: Seq[String] =
    sys.env.get("JAVA_HOME").filter(_.nonEmpty).toSeq.flatMap(Seq("--java", _))
}
