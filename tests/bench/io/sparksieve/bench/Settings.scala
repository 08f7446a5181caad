// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import org.apache.spark.SPARK_VERSION

/**
 * The environment in which the figures were measured; nothing in it identifies the machine.
 *
 * @param entries
 *   name and value, in the order in which they are shown
 * @param data
 *   each data set with its bytes on disk
 */
final case class Settings(
    feature: String,
    entries: Seq[(String, String)],
    data: Seq[(DataSet, Long)])

object Settings {

  def apply(bench: Bench): Settings = {
    val java = Seq("java.version", "os.name", "os.arch").map(sys.props(_))
    val heap = Figures.bytes(Runtime.getRuntime.maxMemory)
    val entries = Seq(
      "Sieve" -> sieveVersion,
      "Spark" -> SPARK_VERSION,
      "Scala" -> scala.util.Properties.versionNumberString,
      "Java" -> java.mkString(", "),
      "cores" -> Runtime.getRuntime.availableProcessors.toString,
      "heap" -> heap,
      "rows" -> Figures.count(bench.options.rows),
      "measured rounds" -> bench.options.runs.toString
    ) ++ bench.conf.toSeq.sorted
    Settings(bench.options.feature, entries, bench.data)
  }

  private def sieveVersion: String = {
    val properties = new java.util.Properties
    val in = getClass.getResourceAsStream("/META-INF/sparksieve.properties")
    try properties.load(in)
    finally in.close()
    properties.getProperty("version")
  }
}
