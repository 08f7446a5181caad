// SPDX-License-Identifier: Apache-2.0
import sbt.*
import scala.sys.process.Process

/** The Python side of the build: virtual environments and the programs in them. */
object Python {

  /** The environment with the pinned pyspark, which `./sbt` creates before it starts sbt. */
  def main(root: File): File = root / ".venv"

  /** The environment with linters and the wheel's build backend; created on first use. */
  def dev(root: File): File = required(root, "dev")

  /** The environment that generates data for benchmarks; created on first use. */
  def bench(root: File): File = required(root, "bench")

  /** The environment that builds the documentation site; created on first use. */
  def docs(root: File): File = required(root, "docs")

  /** The environment that checks and uploads a release; created on first use. */
  def release(root: File): File = required(root, "release")

  private def required(root: File, purpose: String): File = {
    val venv = root / s".venv-$purpose"
    val packages = root / "project" / s"requirements-$purpose.txt"
    prepare(root, venv, Seq("--requirement", packages.getPath))
    venv
  }

  /**
   * An environment with this version of `pyspark` and the Python suite's packages, but not Sieve.
   */
  def withPyspark(root: File, pyspark: String): File = {
    val venv = venvOf(root, pyspark)
    val tools = root / "project" / "requirements-test.txt"
    prepare(root, venv, Seq(s"pyspark==$pyspark", "--requirement", tools.getPath))
    venv
  }

  /** An environment with the pyspark of a line, if it was created earlier. */
  def made(root: File, line: SparkLine): Option[File] =
    if (line == SparkVersions.pyspark) Some(main(root))
    else Some(venvOf(root, line.spark)).filter(venv => (venv / "requirements.stamp").exists)

  private def venvOf(root: File, pyspark: String) = root / s".venv-pyspark-$pyspark"

  /** The jars in the pinned pyspark: Spark and all its runtime dependencies. */
  def sparkJars(root: File): PathFinder = {
    val found = main(root) / "lib" * "python*" / "site-packages" / "pyspark" / "jars" * "*.jar"
    if (found.get().isEmpty)
      sys.error("There is no pyspark in .venv: start the build with ./sbt, which installs it.")
    found
  }

  /** Runs a program of `venv` in the repository's folder; true if it exits with 0. */
  def run(
      root: File,
      venv: File,
      program: String,
      words: Seq[String],
      env: (String, String)*
  ): Boolean =
    Process((venv / "bin" / program).getPath +: words, root, env*).! == 0

  /** Runs a module that is in one of the folders, or imports from them; true if it exits with 0. */
  def module(
      root: File,
      venv: File,
      name: String,
      folders: Seq[File],
      words: Seq[String]
  ): Boolean = {
    val path = "PYTHONPATH" -> folders.mkString(java.io.File.pathSeparator)
    run(root, venv, "python", Seq("-m", name) ++ words, path)
  }

  /** Creates `venv` with the packages `wanted`, unless an earlier run created it with the same. */
  private def prepare(root: File, venv: File, wanted: Seq[String]): Unit = {
    val stamp = venv / "requirements.stamp"
    val pinned = (wanted ++ wanted.map(file).filter(_.isFile).map(IO.read(_))).mkString("\n")
    val ready = stamp.exists && IO.read(stamp) == pinned && (venv / "bin" / "python").exists
    if (!ready) {
      val made = run(root, main(root), "python", Seq("-m", "venv", "--clear", venv.getPath)) &&
        run(root, venv, "python", Seq("-m", "pip", "install", "--quiet") ++ wanted)
      if (!made) sys.error(s"Could not make ${venv.getName}: see the message above.")
      IO.write(stamp, pinned)
    }
  }
}
