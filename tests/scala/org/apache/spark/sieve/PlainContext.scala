// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sieve

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.test.{SharedSparkSession, TestSparkSession}

/**
 * A context that takes closures as they are. Spark looks for what they refer to and do not need in
 * the code of their classes, each time, which takes an eighth of the time of small queries;
 * functions of compiled code have nothing of the kind.
 */
final class PlainContext(conf: SparkConf) extends SparkContext(conf) {

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
