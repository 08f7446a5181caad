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

  def run(trial: Trial): Seq[String] = {
    val (codeOff, off) = child(trial, "off")
    val (codeOn, on) = child(trial, "on")
    val different = off.zip(on).collect { case (a, b) if a != b => s"$a without Sieve, $b with it" }
    val failed = on.filter(_.contains(": failed: "))
    Seq(
      (codeOff != 0) -> s"without Sieve the JVM ended with code $codeOff",
      (codeOn != 0) -> s"with Sieve the JVM ended with code $codeOn",
      (off.size != on.size) -> s"${off.size} queries without Sieve, ${on.size} with it"
    ).collect { case (true, what) => what } ++ different ++ failed
  }

  /** The exit code, and the lines with rows. */
  private def child(trial: Trial, sieve: String): (Int, Seq[String]) = {
    val java = new File(sys.props("java.home"), "bin/java").getPath
    val mine = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
    val same = mine.filter(arg => arg.startsWith("--add-opens") || arg.startsWith("-Dlog4j2"))
    val command = Seq(java, "-Xmx512m", "-XX:+ExitOnOutOfMemoryError") ++ same ++
      Seq("-cp", sys.props("java.class.path"), "io.sparksieve.soak.SmallHeap") ++
      Seq(trial.folder.getPath, sieve, trial.options.keys.toString)
    val process = new ProcessBuilder(command.asJava)
      .redirectError(ProcessBuilder.Redirect.INHERIT)
      .start()
    val lines = Source.fromInputStream(process.getInputStream).getLines().toVector
    lines.foreach(line => println(s"   Sieve $sieve: $line"))
    (process.waitFor(), lines.filter(_.startsWith(SmallHeap.Rows)))
  }
}
