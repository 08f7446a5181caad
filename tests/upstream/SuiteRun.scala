// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.io.File
import java.lang.management.ManagementFactory
import java.lang.reflect.Modifier
import java.nio.file.{Files, Path, StandardCopyOption}
import java.util.concurrent.TimeUnit
import java.util.zip.ZipFile

import scala.jdk.CollectionConverters._

/**
 * Runs Spark's suites with ScalaTest's own runner, in a new JVM that has the class path and some
 * options of this JVM.
 *
 * @param state
 *   the folder for everything that a run writes
 */
final class SuiteRun(state: Path, minutes: Int) {

  /** The part of Spark's source tree that suites read: the content of its tests jar. */
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
    // Options that name a folder of this JVM are not inherited, but set again.
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

  /** The names of the query files in a part of SQLQueryTestSuite. */
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
   * Whether this version of Spark has the suite. If the list contained a class that ScalaTest
   * cannot run, such as an abstract class (which a suite may be in another version), ScalaTest
   * would run no suite.
   */
  def has(suite: Suite): Boolean =
    try {
      val found = Class.forName(suite.className, false, getClass.getClassLoader)
      classOf[org.scalatest.Suite].isAssignableFrom(found) && !Modifier.isAbstract(
        found.getModifiers) && found.getConstructors.exists(_.getParameterCount == 0)
    } catch { case _: ClassNotFoundException => false }
}

object SuiteRun {

  /** Enables Sieve for tables of any size, because Spark's tests have small tables. */
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
