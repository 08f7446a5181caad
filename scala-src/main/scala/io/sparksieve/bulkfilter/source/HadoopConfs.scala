// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.lang.ref.WeakReference

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.SparkSession

import io.sparksieve.compat.SparkCompat

/**
 * Builds the Hadoop configuration of a session. That takes a millisecond, and a query may name a
 * hundred files, so the last configuration is reused while the session's settings and the options
 * are unchanged.
 */
private[bulkfilter] object HadoopConfs {

  private final class Last(
      val session: WeakReference[SparkSession],
      val settings: Map[String, String],
      val options: Map[String, String],
      val made: Configuration)

  @volatile private var last: Option[Last] = None

  def apply(session: SparkSession, options: Map[String, String]): Configuration = {
    val settings = SparkCompat.conf(session).getAllConfs
    last
      .filter(l => l.session.get == session && l.options == options && l.settings == settings)
      .fold {
        val made = SparkCompat.hadoopConf(session, options)
        last = Some(new Last(new WeakReference(session), settings, options, made))
        made
      }(_.made)
  }
}
