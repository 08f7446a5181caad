// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.io.File
import java.lang.management.ManagementFactory

import scala.io.Source
import scala.jdk.CollectionConverters._

/**
 * Runs [[SmallHeap]] in a JVM with a heap of 512 MB, without Sieve and with it: it must not run out
 * of memory, and the rows must be the same.
 */
object Memory {

  /** How the JVM's arguments begin that the other JVM needs too; the last says where its log is. */
  private val Shared = Seq("--add-opens", "-Dlog4j2", "-Dsieve.state")

  def run(trial: Trial): Seq[String] = {
    val (codeOff, linesOff) = child(trial, "off")
    val (codeOn, linesOn) = child(trial, "on")
    val (off, on) = (rows(linesOff), rows(linesOn))
    val different = off.zip(on).collect { case (a, b) if a != b => s"$a without Sieve, $b with it" }
    // Queries, and filters whose keys could not be collected.
    val failed = linesOn.filter(_.contains(" failed: "))
    Seq(
      (codeOff != 0) -> s"without Sieve the JVM ended with code $codeOff",
      (codeOn != 0) -> s"with Sieve the JVM ended with code $codeOn",
      (off.size != on.size) -> s"${off.size} queries without Sieve, ${on.size} with it"
    ).collect { case (true, what) => what } ++ different ++ failed
  }

  private def rows(lines: Seq[String]) = lines.filter(_.startsWith(SmallHeap.Rows))

  /** The exit code, and the lines. */
  private def child(trial: Trial, sieve: String): (Int, Seq[String]) = {
    val java = new File(sys.props("java.home"), "bin/java").getPath
    val mine = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
    val same = mine.filter(arg => Shared.exists(arg.startsWith(_)))
    val command = Seq(java, "-Xmx512m", "-XX:+ExitOnOutOfMemoryError") ++ same ++
      Seq("-cp", sys.props("java.class.path"), "io.sparksieve.soak.SmallHeap") ++
      Seq(trial.folder.getPath, sieve, trial.options.keys.toString)
    val process = new ProcessBuilder(command.asJava)
      .redirectError(ProcessBuilder.Redirect.INHERIT)
      .start()
    val lines = Source.fromInputStream(process.getInputStream).getLines().toVector
    lines.foreach(line => println(s"   Sieve $sieve: $line"))
    (process.waitFor(), lines)
  }
}
