import sbt.*
import scala.sys.process.Process

/** The Python side of the build: virtual environments and the programs in them. */
object Python {

  /** The environment with the pinned pyspark, which `./sbt` makes before it starts sbt. */
  def main(root: File): File = root / ".venv"

  /** The environment with linters and the wheel's build backend; made when first asked for. */
  def dev(root: File): File = {
    val venv = root / ".venv-dev"
    prepare(root, venv, Seq("--requirement", (root / "project" / "requirements-dev.txt").getPath))
    venv
  }

  /** The environment that makes data for benchmarks; made when first asked for. */
  def bench(root: File): File = {
    val venv = root / ".venv-bench"
    prepare(root, venv, Seq("--requirement", (root / "project" / "requirements-bench.txt").getPath))
    venv
  }

  /**
   * An environment with `pyspark` of that version and what the Python suite needs, but not Sieve.
   */
  def withPyspark(root: File, pyspark: String): File = {
    val venv = root / s".venv-pyspark-$pyspark"
    val tools = root / "project" / "requirements-test.txt"
    prepare(root, venv, Seq(s"pyspark==$pyspark", "--requirement", tools.getPath))
    venv
  }

  /** The jars in the pinned pyspark: Spark and all it depends on at run time. */
  def sparkJars(root: File): PathFinder = {
    val found = main(root) / "lib" * "python*" / "site-packages" / "pyspark" / "jars" * "*.jar"
    if (found.get().isEmpty)
      sys.error("There is no pyspark in .venv: start the build with ./sbt, which installs it.")
    found
  }

  /** Runs a program of `venv` in the repository's folder; true when it exits with 0. */
  def run(
      root: File,
      venv: File,
      program: String,
      words: Seq[String],
      env: (String, String)*
  ): Boolean =
    Process((venv / "bin" / program).getPath +: words, root, env*).! == 0

  /** Makes `venv` with what pip is asked for, unless an earlier run made it with just that. */
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
