// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.annotation.meta.getter

import org.apache.spark.scheduler.SparkListenerEvent
import org.apache.spark.sql.sieve.TabRow
import org.apache.spark.util.kvstore.KVIndex

import io.sparksieve.report.core.Gains

/**
 * The verdict of a rule, or the measurement of an operator.
 *
 * @param reason
 *   the code of the reason of a rule that declined; empty for others
 */
private[ui] final case class QueryVerdict(
    feature: String,
    rule: String,
    outcome: String,
    reason: String,
    place: String,
    detail: String)

/**
 * A scan with predicates.
 *
 * @param predicates
 *   those that Spark evaluates on its rows
 * @param isPruned
 *   whether Sieve pruned the scan with keys
 */
private[ui] final case class QueryScan(
    source: String,
    predicates: Seq[String],
    read: Long,
    kept: Long,
    isPruned: Boolean)

/** The position of a predicate at one moment; see `OrderSnapshot`. */
private[ui] final case class QueryOrder(
    place: String,
    executor: String,
    millis: Long,
    predicate: String,
    position: Int)

/**
 * What Sieve did to a query, and what that query read. Spark writes the event into the event log, as
 * JSON with the names of these classes and fields.
 *
 * @param executionId
 *   the id of the SQL execution
 * @param time
 *   when the query ended, in milliseconds since the epoch
 * @param action
 *   Spark's name of the action; empty if it has none
 */
private[ui] final case class SieveQueryEnded(
    executionId: Long,
    time: Long,
    durationMillis: Long,
    action: String,
    verdicts: Seq[QueryVerdict],
    scans: Seq[QueryScan],
    orders: Seq[QueryOrder],
    gains: Gains)
    extends SparkListenerEvent

/** A query in the store of Spark's UI. */
private[ui] final class SieveQuery(
    @(KVIndex @getter) override val id: Long,
    val ended: SieveQueryEnded)
    extends TabRow
