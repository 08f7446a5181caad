// SPDX-License-Identifier: Apache-2.0
import sbt.*

/** The origin of the Spark jars that a line compiles against. */
sealed trait SparkJars

/** Maven Central has this version, both its jars and its test jars. */
case object FromMaven extends SparkJars

/**
 * Only PyPI has this version: the jars are those inside the pyspark wheel that `./sbt` installs
 * into `.venv`. `harness` is the Spark version whose published test jars the suites use.
 */
final case class FromPyspark(harness: String) extends SparkJars

/**
 * A Spark line that the project supports.
 *
 * @param id
 *   name of the line, as in `-Dspark.line=4.1` and in `./sbt verify`'s output
 * @param spark
 *   exact Spark version that the line compiles against
 * @param scala
 *   exact Scala version of that Spark release; a looser pin ends in NoSuchMethodError
 * @param javaRelease
 *   oldest Java class library that the main classes may use; the same as for that Spark line
 * @param jars
 *   origin of Spark's jars
 * @param lakes
 *   table formats whose newest release supports this line, in test scope only
 * @param full
 *   whether `verify` runs every suite on this line, or the smoke suites only
 */
final case class SparkLine(
    id: String,
    spark: String,
    scala: String,
    javaRelease: Int,
    jars: SparkJars,
    lakes: Seq[ModuleID] = Nil,
    full: Boolean = false
) {

  /** `3.5` of `3.5.9`. */
  val minor: String = spark.split('.').take(2).mkString(".")

  /** `2.13` of `2.13.18`. */
  val scalaBinary: String = scala.split('.').take(2).mkString(".")

  /** Id of the sbt project; sbt allows no dots in it. */
  val projectId: String = "spark" + id.replace(".", "")

  /**
   * Shim folders of this line next to the folder `scala`: `scala-<binary>`, `scala-spark-<line>`,
   * `scala-spark-<first>-<last>` for each range of lines that includes this line, and `scala-<lake>`
   * for each of its table formats. Only folders that exist are compiled. A folder is created when a
   * compile error requires it, never in advance.
   */
  def shimFolders: Seq[String] = {
    val minors = SparkVersions.all.map(_.minor).distinct
    val here = minors.indexOf(minor)
    val ranges = for {
      first <- 0 to here
      last <- here until minors.size
      if first < last
    } yield s"scala-spark-${minors(first)}-${minors(last)}"
    val formats = lakes.map(lake => s"scala-${lake.name.takeWhile(_ != '-')}")
    Seq(s"scala-$scalaBinary", s"scala-spark-$minor") ++ ranges ++ formats
  }
}

/** The only table of Spark lines: build, jar names, wheel and `verify` read it. */
object SparkVersions {

  private val delta = "io.delta" %% "delta-spark" % "4.4.0"

  private def iceberg(minor: String) =
    "org.apache.iceberg" %% s"iceberg-spark-runtime-$minor" % "1.11.0"

  val all: Seq[SparkLine] = Seq(
    SparkLine("3.5-2.12", "3.5.9", "2.12.18", 8, FromMaven),
    SparkLine("3.5-2.13", "3.5.9", "2.13.8", 8, FromMaven, Seq(iceberg("3.5")), full = true),
    SparkLine("4.0", "4.0.4", "2.13.16", 17, FromMaven, Seq(iceberg("4.0"))),
    SparkLine("4.1", "4.1.3", "2.13.17", 17, FromMaven, Seq(iceberg("4.1"))),
    SparkLine("4.2", "4.2.0", "2.13.18", 17, FromMaven, Seq(delta), full = true),
    SparkLine("4.3", "4.3.0", "2.13.18", 17, FromPyspark(harness = "4.2.0"))
  )

  /** Line that `./sbt compile` and `./sbt test` act on by default. */
  val default: SparkLine = apply("4.2")

  /** Line of the pinned pyspark in `.venv`: demo, wheel tests and benchmarks run on it. */
  val pyspark: SparkLine = apply("4.3")

  /** The line with this `id`; if there is none, the error names all lines. */
  def apply(id: String): SparkLine =
    all.find(_.id == id).getOrElse {
      sys.error(s"There is no Spark line '$id'. Lines: ${all.map(_.id).mkString(", ")}.")
    }
}
