// SPDX-License-Identifier: Apache-2.0
import sbt.*

import java.io.File.pathSeparator

/**
 * `./sbt release` builds all that a release uploads into `target/release`: for each Spark line a
 * jar with its sources, documentation and POM, in the folder `maven`; sdist and wheel in the folder
 * `python`. It checks the files, runs a query with them in a new Python environment for each line,
 * and at the end says what is still missing for the upload. `--line 4.1` does so for one line.
 */
object Release {

  val command: Command = Command.args("release", "<option>") { (state, words) =>
    val root = Project.extract(state).get(LocalRootProject / Keys.baseDirectory)
    words.toList match {
      case Nil => run(state, root, SparkVersions.all)
      case List("--line", id) => run(state, root, Seq(SparkVersions(id)))
      case wrong =>
        println(s"release: '${wrong.mkString(" ")}' is unknown. usage: ./sbt release [--line ID]")
        state.fail
    }
  }

  private def run(state: State, root: File, lines: Seq[SparkLine]): State = {
    val folder = Publishing.folder(root)
    IO.delete(folder)
    val publish = if (Publishing.signingKey.isDefined) "publishSigned" else "publish"
    val built =
      Seq(Verify.together(lines, "mimaReportBinaryIssues"), Verify.together(lines, publish))
    val ok = (built :+ "root/wheel").forall(Step.succeeds(_, state)) && {
      val version = SieveBuild.projectVersion(root)
      (root / "dist" * s"sparksieve-$version*").get().foreach { file =>
        IO.copyFile(file, folder / "python" / file.getName)
      }
      val artifacts = lines.map(artifact)
      python(root, "artifacts.py", version +: artifacts) &&
      // Every line is tried, also after a failure.
      lines.map(smoke(state, root, version, _)).forall(identity) &&
      python(root, "missing.py", version +: SparkVersions.all.size.toString +: artifacts)
    }
    println(
      if (ok) s"release: ${lines.map(_.id).mkString(", ")} passed; the files are in target/release"
      else "release: FAILED, see the messages above")
    if (ok) state else state.fail
  }

  private def artifact(line: SparkLine) = s"sparksieve-spark-${line.minor}_${line.scalaBinary}"

  /** Installs the artifacts of a line in a new environment, and runs a query with them. */
  private def smoke(state: State, root: File, version: String, line: SparkLine): Boolean =
    python(root, "smoke.py", Seq(version, artifact(line), line.spark) ++ jars(state, root, line))

  /**
   * The pyspark of 3.5 is built for Scala 2.12 only. For 2.13 it runs Maven's jars instead of its
   * own, as with a `SPARK_HOME`; they are listed in a file.
   */
  private def jars(state: State, root: File, line: SparkLine): Seq[String] =
    if (line.minor == "3.5" && line.scalaBinary == "2.13") {
      val task = LocalProject(line.projectId) / Compile / Keys.dependencyClasspath
      val (_, classpath) = Project.extract(state).runTask(task, state)
      val list = Publishing.folder(root) / "work" / s"${line.id}.jars"
      IO.write(list, classpath.map(_.data.getPath).mkString(pathSeparator))
      Seq(list.getPath)
    } else Nil

  private def python(root: File, program: String, words: Seq[String]): Boolean =
    Python.run(root, Python.release(root), "python", s"tests/release/$program" +: words)
}
