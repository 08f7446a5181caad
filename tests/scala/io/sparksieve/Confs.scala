// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.sql.SparkSession

/** Sets configs of a session temporarily, for code outside of suites, which lacks `withSQLConf`. */
object Confs {

  /** Runs `body` with `settings`, and restores the previous values afterwards. */
  def during[T](session: SparkSession, settings: Map[String, String])(body: => T): T = {
    val before = settings.keys.toSeq.map(k => k -> session.conf.getOption(k))
    settings.foreach { case (k, v) => session.conf.set(k, v) }
    try body
    finally
      before.foreach {
        case (k, Some(v)) => session.conf.set(k, v)
        case (k, None) => session.conf.unset(k)
      }
  }
}
