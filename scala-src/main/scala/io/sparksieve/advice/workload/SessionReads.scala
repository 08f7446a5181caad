// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.SparkPlan

import io.sparksieve.common.{HasBytes, LastUsedWithin}

/**
 * The queries that have run in a session, as far as advice needs them. Equal queries are one: their
 * times add up, and the keys are those of the last run. Kept for the [[SessionReads.Max]] queries
 * that ran last, and for fewer if their constants and paths take more than
 * [[SessionReads.MaxBytes]]; the last query is always kept. Holds no plan, no values that bulk
 * filters have read, and no functions of users ([[LastingPredicate]]).
 */
private[sparksieve] final class SessionReads {

  private val queries =
    new LastUsedWithin[Seq[Any], SessionReads.Kept](SessionReads.Max, SessionReads.MaxBytes)

  /** Adds a run; a query that reads no table is left out. */
  def add(plan: SparkPlan, seconds: Double): Unit = {
    val reads = ReadsOf.executed(plan).map(lasting)
    if (reads.nonEmpty) add(reads, seconds)
  }

  private[advice] def add(reads: Seq[TableRead], seconds: Double): Unit = {
    val key = reads.map(r => (r.table, ReadsOf.tests(r), r.keys.map(_.column)))
    val text = ReadsOf.text(reads)
    val bytes = reads.map(ConstantBytes(_)).sum
    synchronized {
      val before = Option(queries.get(key)).map(_.query)
      val run = QueryReads(
        text,
        reads,
        1 + before.fold(0)(_.runs),
        Some(seconds + before.flatMap(_.seconds).getOrElse(0.0)))
      queries.put(key, SessionReads.Kept(run, bytes))
      ()
    }
  }

  private def lasting(read: TableRead): TableRead =
    read.copy(predicates = read.predicates.map(LastingPredicate(_)))

  /** The queries, those that ran last at the end. */
  def all: Seq[QueryReads] = synchronized(queries.values.asScala.map(_.query).toVector)
}

private[sparksieve] object SessionReads {

  /** The number of different queries that a session remembers. */
  final val Max = 500

  /** The most bytes of constants and paths, such as lists of values, in a session's queries. */
  final val MaxBytes = 16L << 20

  private final case class Kept(query: QueryReads, bytes: Long) extends HasBytes
}
