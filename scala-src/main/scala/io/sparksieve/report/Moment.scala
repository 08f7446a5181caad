package io.sparksieve.report

/**
 * Where a predicate stood in its filter's order at some moment of a run.
 *
 * @param place
 *   the filter
 * @param executor
 *   each executor learns an order of its own
 * @param millis
 *   since the epoch
 * @param written
 *   the predicate's place as it was written, from 1
 * @param position
 *   its place in the order of the moment, from 1
 * @param passRate
 *   the share of the rows asked of it that pass; None if it is not known
 * @param nanos
 *   nanoseconds of one evaluation; None if they are not known
 */
final case class Moment(
    place: String,
    executor: String,
    millis: Long,
    predicate: String,
    written: Int,
    position: Int,
    passRate: Option[Double],
    nanos: Option[Double])
