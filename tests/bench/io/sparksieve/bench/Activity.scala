// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.util.UUID
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart, SparkListenerTaskEnd}

/**
 * The jobs and the file reads of Spark during a measured piece of code.
 *
 * @param jobs
 *   number of jobs that were started
 * @param readBytes
 *   bytes that tasks read from files; a plan's own metrics count whole files, read or skipped
 */
final case class Activity(jobs: Int, readBytes: Long)

object Activity {

  private val Marker = "sieve.bench.marker"

  /** Runs `body` and returns its value with the [[Activity]] that it caused. */
  def during[T](context: SparkContext)(body: => T): (T, Activity) = {
    val counter = new Counter(UUID.randomUUID().toString)
    context.addSparkListener(counter)
    try {
      val value = body
      (value, counter.result(context))
    } finally context.removeSparkListener(counter)
  }

  /** Counts events until the start of a marker job: listener events arrive late, but in order. */
  private final class Counter(marker: String) extends SparkListener {

    private val ended = new CountDownLatch(1)
    private var jobs = 0
    private var bytes = 0L

    override def onJobStart(start: SparkListenerJobStart): Unit =
      if (Option(start.properties).exists(_.getProperty(Marker) == marker)) ended.countDown()
      else if (ended.getCount > 0) jobs += 1

    override def onTaskEnd(end: SparkListenerTaskEnd): Unit =
      if (ended.getCount > 0) Option(end.taskMetrics).foreach(bytes += _.inputMetrics.bytesRead)

    def result(context: SparkContext): Activity = {
      context.setLocalProperty(Marker, marker)
      try context.parallelize(Seq(0), 1).count()
      finally context.setLocalProperty(Marker, null)
      require(ended.await(1, TimeUnit.MINUTES), "Spark's listeners are a minute behind.")
      Activity(jobs, bytes)
    }
  }
}
