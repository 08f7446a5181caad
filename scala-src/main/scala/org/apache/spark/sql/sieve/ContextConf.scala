// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.SparkContext
import org.apache.spark.internal.config.ConfigEntry

/** Settings of an application that are private to Spark while it runs. */
object ContextConf {

  /** The application that runs in this JVM. */
  def active: Option[SparkContext] = SparkContext.getActive

  /** Whether a switch of the application is on; its default if the value is neither true nor false. */
  def isOn(context: SparkContext, switch: ConfigEntry[Boolean]): Boolean =
    try context.conf.get(switch)
    catch { case _: IllegalArgumentException => switch.defaultValue.contains(true) }

  /** Appends `value` to a list of the application's settings, from which sessions are made. */
  def append(context: SparkContext, key: String, value: String): Unit = context.synchronized {
    val before =
      context.conf.getOption(key).toSeq.flatMap(_.split(",")).map(_.trim).filter(_.nonEmpty)
    if (!before.contains(value)) context.conf.set(key, (before :+ value).mkString(","))
    ()
  }
}
