// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.Keys.*
import sbt.complete.DefaultParsers.spaceDelimited

/**
 * `./sbt "bench peers"`: measures Spark with and without Sieve beside other engines. The program is
 * `tests/bench/peers`; this passes it the jars and the Pythons that it needs.
 */
object Peers {

  /** The line on which all Spark engines of the comparison run: the newest that Comet supports. */
  val line: SparkLine = SparkVersions("4.1")

  val comet =
    new ExtraJar("comet", "org.apache.datafusion" % "comet-spark-spark4.1_2.13" % "1.2.0")

  private val peers = inputKey[Unit]("Measures Sieve beside other engines.")

  /** `bench peers` runs the program; `bench <feature>` runs the benchmarks of a feature. */
  val command: Command = Command.args("bench", "<feature> <options>") { (state, words) =>
    val task =
      if (words.headOption.contains("peers")) s"root/${peers.key.label}" +: words.tail
      else s"${SparkVersions.pyspark.projectId}/runBench" +: words
    task.mkString(" ") :: state
  }

  /** Settings of the root project. */
  def root: Seq[Setting[?]] = comet.root ++ Seq(
    peers := {
      val words = spaceDelimited("<arg>").parsed
      val base = baseDirectory.value
      val sieve = (LocalProject(line.projectId) / Compile / packageBin).value
      val classpath = (LocalProject(line.projectId) / Test / externalDependencyClasspath).value
      val texts = classpath.files.find(_.getName.matches("spark-sql_.*-tests.jar"))
      val paths = Seq(
        "--spark-python" -> Python.withPyspark(base, line.spark) / "bin" / "python",
        "--sieve-jar" -> sieve,
        "--texts" -> texts.getOrElse(sys.error("Spark's test jar is not on the classpath."))
      ) ++ comet.files.value.map("--comet-jar" -> _)
      val options = paths.flatMap { case (name, file) => Seq(name, file.getPath) }
      val folders = Seq(base / "tests" / "bench", base / "tests")
      if (!Python.module(base, Python.bench(base), "peers", folders, options ++ words))
        throw new MessageOnlyException("bench peers failed: see its message above.")
    }
  )
}
