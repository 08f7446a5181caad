// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * The position of a predicate in its filter's order at one moment of a run.
 *
 * @param place
 *   the filter
 * @param executor
 *   the executor, because each executor learns its own order
 * @param millis
 *   milliseconds since the epoch
 * @param written
 *   the predicate's position in the filter as written, from 1
 * @param position
 *   the predicate's position in the order at that moment, from 1
 * @param passRate
 *   the share of the rows that pass, of those the predicate is evaluated on; None if unknown
 * @param nanos
 *   nanoseconds of one evaluation; None if unknown
 */
private[sparksieve] final case class OrderSnapshot(
    place: String,
    executor: String,
    millis: Long,
    predicate: String,
    written: Int,
    position: Int,
    passRate: Option[Double],
    nanos: Option[Double])
