// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import org.apache.spark.sql.internal.SQLConf

/**
 * Engines that replace Spark's operators by columnar ones of their own. They leave an operator that
 * they do not know, and all above it, to Spark, and turn their columns into rows for it: a filter of
 * Sieve's would cost more than it saves.
 */
private[sparksieve] object ForeignEngine {

  /**
   * @param part
   *   a part of the class names that switch the engine on
   * @param switch
   *   the engine's own config, which switches it off
   */
  private final case class Engine(name: String, part: String, switch: String)

  private val Engines = Seq(
    Engine("Comet", "Comet", "spark.comet.enabled"),
    Engine("Gluten", "Gluten", "spark.gluten.enabled"),
    Engine("the RAPIDS accelerator", "com.nvidia.spark", "spark.rapids.sql.enabled"),
    Engine("Auron", "Auron", "spark.auron.enabled"),
    Engine("Blaze", "Blaze", "spark.blaze.enable")
  )

  private val Places = Seq("spark.plugins", "spark.sql.extensions")

  /** The name of the engine that runs queries under `conf`, or None if that is Spark. */
  def of(conf: SQLConf): Option[String] = {
    val classes = Places.map(conf.getConfString(_, ""))
    Engines
      .find(e => classes.exists(_.contains(e.part)) && !isOff(conf.getConfString(e.switch, "")))
      .map(_.name)
  }

  private def isOff(value: String) = value.trim.equalsIgnoreCase("false")
}
