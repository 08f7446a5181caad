// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkFunSuite
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart

import io.sparksieve.SieveExtensions

/** What the history server shows of a query that ended just before the application did. */
class LastQuerySmokeSuite extends SparkFunSuite {

  /** Keeps a queue of listeners busy until the application is being stopped. */
  private class Busy extends SparkListener {
    override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
      case _: SparkListenerSQLExecutionStart => Thread.sleep(3000)
      case _ =>
    }
  }

  private def lines(folder: Path): Seq[String] = {
    val found = Files.walk(folder)
    try
      found.iterator.asScala
        .filter(Files.isRegularFile(_))
        .filter(f => !f.getFileName.toString.endsWith(".crc"))
        .flatMap(Files.readAllLines(_).asScala)
        .toList
    finally found.close()
  }

  test("the last query before the application stops is in its event log, once") {
    withTempDir { dir =>
      val session = SparkSession
        .builder()
        .master("local[1]")
        .config("spark.sql.extensions", classOf[SieveExtensions].getName)
        .config("spark.ui.enabled", "false")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", dir.toURI.toString)
        .getOrCreate()
      try {
        session
          .sql("SELECT a, b FROM VALUES (1, 2), (3, 4) t(a, b) WHERE a > 0")
          .createOrReplaceTempView("t")
        session.sparkContext.listenerBus.addToSharedQueue(new Busy)
        session.sparkContext.listenerBus.addToEventLogQueue(new Busy)
        session.sql("SELECT * FROM t WHERE a > 1 EXCEPT SELECT * FROM t WHERE b > 5").collect()
      } finally session.stop()
      val ended = lines(dir.toPath).filter(_.contains("SieveQueryEnded"))
      assert(ended.size == 1, ended)
      assert(ended.head.contains("ReplaceExceptWithNotFilter"))
    }
  }
}
