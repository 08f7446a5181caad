// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.mutable.ArrayBuffer

import org.apache.logging.log4j.LogManager
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/**
 * Detects generated code that does not compile. Spark only logs the error and falls back to
 * interpreted evaluation, so the rows do not show it.
 */
object LogWatch {

  private val seen = new ConcurrentLinkedQueue[String]

  private object Appender
      extends AbstractAppender("sieve-log-watch", null, null, true, Property.EMPTY_ARRAY) {
    override def append(event: LogEvent): Unit = {
      val message = event.getMessage.getFormattedMessage
      if (message.toLowerCase.contains("failed to compile") && !isOfTask(event)) {
        seen.add(message.take(2000) + Option(event.getThrown).map(Judge.trace).getOrElse(""))
      }
    }
  }

  /** Whether the scheduler repeats why a task failed, which the compiler has said already. */
  private def isOfTask(event: LogEvent): Boolean =
    event.getLoggerName.startsWith("org.apache.spark.scheduler.")

  def install(): Unit = {
    Appender.start()
    LogManager.getRootLogger.asInstanceOf[Logger].addAppender(Appender)
  }

  /** The messages since the last call. */
  def drain(): Seq[String] = {
    val messages = ArrayBuffer.empty[String]
    var next = seen.poll()
    while (next != null) {
      messages += next
      next = seen.poll()
    }
    messages.toVector
  }
}
