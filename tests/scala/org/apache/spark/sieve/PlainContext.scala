// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sieve

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.test.{SharedSparkSession, TestSparkSession}

/**
 * A context for small queries, without two of the costs of each.
 *
 * It takes closures as they are: Spark looks for what they refer to and do not need in the code of
 * their classes, each time; functions of compiled code have nothing of the kind.
 *
 * Its Hadoop configuration lacks Hadoop's defaults, which are also in Hadoop's code: Spark copies
 * it for each scan, broadcasts it, and reads it again in each task.
 */
final class PlainContext(conf: SparkConf) extends SparkContext(conf) {

  /** Without defaults, or the first class of Hadoop's that adds some would bring back all. */
  private lazy val brief: Configuration = {
    val usual = super.hadoopConfiguration
    val defaults = new Configuration()
    val kept = new Configuration(false)
    usual.asScala.foreach { entry =>
      val (key, value) = (entry.getKey, entry.getValue)
      // File systems are found by these.
      if (key.startsWith("fs.") || defaults.getRaw(key) != value) kept.set(key, value)
    }
    kept
  }

  override def hadoopConfiguration: Configuration = brief

  override private[spark] def clean[F <: AnyRef](f: F, checkSerializable: Boolean): F = f
}

/** The session of Spark's own suites, over such a context. */
trait PlainSession extends SharedSparkSession {

  override protected def createSparkSession: TestSparkSession = {
    SparkSession.getActiveSession.orElse(SparkSession.getDefaultSession).foreach(_.stop())
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    val settings = Map(
      "spark.master" -> "local[2]",
      "spark.app.name" -> "test-sql-context",
      "spark.sql.testkey" -> "true")
    new TestSparkSession(new PlainContext(sparkConf.setAll(settings)))
  }
}
