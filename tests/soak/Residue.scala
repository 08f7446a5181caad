// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import java.io.File
import java.lang.management.ManagementFactory

import scala.jdk.CollectionConverters._

import com.sun.management.UnixOperatingSystemMXBean

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.AccumulatorContext

/**
 * What an application holds at a moment when it runs nothing.
 *
 * @param heap
 *   bytes that full collections leave
 * @param counts
 *   numbers of what must not grow, by name
 * @param threads
 *   numbers of threads, by names whose digits are left out
 */
final case class Residue(heap: Long, counts: Map[String, Long], threads: Map[String, Int]) {

  def show: String = {
    val some = counts.toSeq.sorted.map { case (name, n) => s"$n $name" }
    s"${heap >> 10} KB, ${some.mkString(", ")}, ${threads.values.sum} threads"
  }
}

object Residue {

  /** Idle threads of Spark's pools end after a minute; until then they hold their last session. */
  private val Idle = 65000L

  /** The residue after full collections, once Spark has cleaned up what they freed. */
  def of(spark: SparkSession, folder: File): Residue = {
    Thread.sleep(Idle)
    var last = once(spark, folder)
    var left = 20
    var settled = false
    while (!settled && left > 0) {
      System.gc()
      // Sieve releases what it kept for sessions that have ended when the next query is optimized.
      spark.range(1).collect()
      Thread.sleep(250)
      val next = once(spark, folder)
      settled = left < 17 && next.counts == last.counts && next.heap > last.heap - (64 << 10)
      last = next
      left -= 1
    }
    last
  }

  private def once(spark: SparkSession, folder: File): Residue = {
    val context = spark.sparkContext
    val memory = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage
    val classes = ManagementFactory.getClassLoadingMXBean.getLoadedClassCount
    val handles = ManagementFactory.getOperatingSystemMXBean match {
      case unix: UnixOperatingSystemMXBean => unix.getOpenFileDescriptorCount
      case _ => 0L
    }
    val names =
      Thread.getAllStackTraces.keySet.asScala.toSeq.map(_.getName.replaceAll("[0-9]+", "N"))
    Residue(
      memory.getUsed,
      Map(
        "listeners" -> context.listenerBus.listeners.size.toLong,
        "accumulators" -> AccumulatorContext.numAccums.toLong,
        "blocks" -> context.env.blockManager.getMatchingBlockIds(_ => true).size.toLong,
        "jobs" -> context.statusTracker.getActiveJobIds().length.toLong,
        "files" -> files(folder),
        "classes" -> classes.toLong,
        "open files" -> handles
      ),
      names.groupBy(identity).map { case (name, all) => name -> all.size }
    )
  }

  private def files(folder: File): Long =
    Option(folder.listFiles).toSeq.flatten.map(f => if (f.isDirectory) files(f) else 1L).sum
}
