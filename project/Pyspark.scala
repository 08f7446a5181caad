import sbt.*

/** The pinned pyspark in `.venv`, which `./sbt` installs. */
object Pyspark {

  /** The jars that pyspark carries: Spark and all it depends on at run time. */
  def jars(root: File): PathFinder = {
    val found = root / ".venv" / "lib" * "python*" / "site-packages" / "pyspark" / "jars" * "*.jar"
    if (found.get().isEmpty) sys.error("There is no pyspark in .venv: start the build with ./sbt, which installs it.")
    found
  }
}
