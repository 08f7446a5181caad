package io.sparksieve.upstream

import java.io.File
import java.lang.management.ManagementFactory
import java.lang.reflect.Modifier
import java.nio.file.{Files, Path, StandardCopyOption}
import java.util.concurrent.TimeUnit
import java.util.zip.ZipFile

import scala.jdk.CollectionConverters._

/**
 * Runs suites of Spark's with ScalaTest's own runner in a JVM that has the class path and the
 * options of this one.
 *
 * @param state
 *   the folder below which everything that a run writes goes
 */
final class SuiteRun(state: Path, minutes: Int) {

  /** Spark's source tree, as far as suites look into it: what its tests jar holds. */
  private val home = state.resolve("spark-" + org.apache.spark.SPARK_VERSION)
  private val resources = home.resolve("sql/core/src/test/resources")

  /**
   * Runs `suites` one after another, with Sieve on or off.
   *
   * @return
   *   the lines that [[TestRecords]] wrote
   */
  def apply(suites: Seq[Suite], sieve: Boolean, name: String): Seq[String] = {
    val folder = state.resolve(s"$name-${if (sieve) "on" else "off"}")
    SuiteRun.delete(folder.toFile)
    Files.createDirectories(folder)
    val records = Files.createFile(folder.resolve("records.txt"))
    val words = suites.groupBy(_.className).toSeq.sortBy(_._1).flatMap { case (name, parts) =>
      Seq("-s", name) ++ parts.flatMap(_.part).flatMap(inputs).flatMap(Seq("-z", _))
    }
    val command = Seq(Seq(SuiteRun.java), options(folder, records, sieve), SuiteRun.Runner, words)
    val process = new ProcessBuilder(command.flatten.asJava)
      .directory(folder.toFile)
      .redirectErrorStream(true)
      .redirectOutput(folder.resolve("output.txt").toFile)
      .start()
    val end = sys.addShutdownHook(process.destroyForcibly())
    if (!process.waitFor(minutes.toLong, TimeUnit.MINUTES)) {
      println(s"$name: stopped after $minutes minutes")
      process.destroyForcibly().waitFor()
    }
    end.remove()
    Files.readAllLines(records).asScala.toSeq
  }

  private def options(folder: Path, records: Path, sieve: Boolean): Seq[String] = {
    // What names a folder of this JVM's is said anew.
    val inherited = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.toSeq
      .filter(o => o.startsWith("--add-opens") || SuiteRun.Inherited.exists(o.startsWith))
    inherited ++ Seq(
      "-Xmx3g",
      "-Xss4m",
      "-XX:TieredStopAtLevel=1",
      "-XX:ReservedCodeCacheSize=256m",
      "-XX:+UseParallelGC",
      "-Dspark.testing=true",
      s"-Dspark.test.home=$home",
      s"-Dsieve.state=$folder",
      s"-Dderby.system.home=$folder/derby",
      s"-Djava.io.tmpdir=$folder",
      s"-D${TestRecords.Property}=$records"
    ) ++
      (if (sieve) SuiteRun.Sieve.map { case (key, value) => s"-D$key=$value" } else Nil) ++
      // Suites look for resources as files, not in a jar.
      Seq("-cp", s"$resources${File.pathSeparator}${sys.props("java.class.path")}")
  }

  /** The names of the files of queries in a part of the suite that runs them. */
  private def inputs(part: Int): Seq[String] = {
    val folder = resources.resolve("sql-tests/inputs")
    val files = Files.walk(folder)
    try
      files.iterator.asScala.toSeq
        .filter(Files.isRegularFile(_))
        .map(folder.relativize(_).toString)
        .filter(Suite.partOf(_) == part)
        .sorted
    finally files.close()
  }

  /** Unpacks Spark's tests jar, once. */
  def prepare(): Unit = if (!Files.exists(home.resolve("ready"))) {
    val zip = new ZipFile(SuiteRun.testsJar)
    try
      zip.entries.asScala.filterNot(_.isDirectory).foreach { entry =>
        val file = resources.resolve(entry.getName)
        Files.createDirectories(file.getParent)
        val in = zip.getInputStream(entry)
        try Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING)
        finally in.close()
      }
    finally zip.close()
    Files.createFile(home.resolve("ready"))
  }

  /**
   * Whether this version of Spark has that suite. A class that ScalaTest cannot run, such as the
   * abstract parent that a suite is in another version, would keep it from running any.
   */
  def has(suite: Suite): Boolean =
    try {
      val found = Class.forName(suite.className, false, getClass.getClassLoader)
      classOf[org.scalatest.Suite].isAssignableFrom(found) && !Modifier.isAbstract(
        found.getModifiers) && found.getConstructors.exists(_.getParameterCount == 0)
    } catch { case _: ClassNotFoundException => false }
}

object SuiteRun {

  /** Sieve on, for tables of any size: Spark's tests have small ones. */
  private val Sieve = Seq(
    "spark.sql.extensions" -> "io.sparksieve.SieveExtensions",
    "spark.sieve.setop.counting.minScanBytes" -> "0",
    "spark.sieve.dynamicFilter.minScanBytes" -> "0",
    "spark.sieve.dynamicFilter.minScanRatio" -> "0",
    "spark.sieve.dynamicFilter.footers.minFiles" -> "1",
    "spark.sieve.adaptiveFilter.minGain" -> "0"
  )

  private val Inherited =
    Seq("-Djdk.reflect", "-Dio.netty", "-Dspark.ui.enabled", "-Dlog4j2.configurationFile")

  private val Runner =
    Seq("org.scalatest.tools.Runner", "-oW", "-C", classOf[TestRecords].getName)

  private def java: String = s"${sys.props("java.home")}/bin/java"

  private def testsJar: File =
    sys
      .props("java.class.path")
      .split(File.pathSeparator)
      .map(new File(_))
      .find(_.getName.matches("spark-sql_.*-tests\\.jar"))
      .getOrElse(sys.error("There is no tests jar of spark-sql on the class path."))

  private def delete(file: File): Unit = {
    if (!Files.isSymbolicLink(file.toPath)) Option(file.listFiles).toSeq.flatten.foreach(delete)
    file.delete()
  }
}
