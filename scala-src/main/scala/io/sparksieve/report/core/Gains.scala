// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * What an operator saved in one run.
 *
 * @param filesSkipped
 *   files of `files` that were not read
 * @param rowsDropped
 *   rows that were dropped before an operator that would have processed them
 * @param millis
 *   time of tasks that an order of predicates saved, estimated from samples
 */
private[sparksieve] final case class Gains(
    files: Long = 0,
    filesSkipped: Long = 0,
    rowsDropped: Long = 0,
    millis: Long = 0) {

  def +(other: Gains): Gains = Gains(
    files + other.files,
    filesSkipped + other.filesSkipped,
    rowsDropped + other.rowsDropped,
    millis + other.millis)
}

private[sparksieve] object Gains {
  val none: Gains = Gains()
}
