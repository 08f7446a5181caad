// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.common.LastUsed

/**
 * The queries that have run in a session, as far as advice needs them. Equal queries are one: their
 * times add up, and the keys are those of the last run. Kept for the [[SessionReads.Max]] queries
 * that ran last. Holds no plan.
 */
private[sparksieve] final class SessionReads {

  private val queries = new LastUsed[Seq[Any], QueryReads](SessionReads.Max)

  /** Adds a run; a query that reads no table is left out. */
  def add(plan: SparkPlan, seconds: Double): Unit = {
    val reads = ReadsOf.executed(plan)
    if (reads.nonEmpty) {
      val key = reads.map(r => (r.table, ReadsOf.tests(r), r.keys.map(_.column)))
      synchronized {
        val before = Option(queries.get(key))
        val run = QueryReads(
          ReadsOf.text(reads),
          reads,
          1 + before.fold(0)(_.runs),
          Some(seconds + before.flatMap(_.seconds).getOrElse(0.0)))
        queries.put(key, run)
        ()
      }
    }
  }

  /** The queries, those that ran last at the end. */
  def all: Seq[QueryReads] = synchronized(queries.values.asScala.toVector)
}

private[sparksieve] object SessionReads {

  /** The number of different queries that a session remembers. */
  final val Max = 500
}
