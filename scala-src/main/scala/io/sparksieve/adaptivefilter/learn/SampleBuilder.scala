// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import scala.collection.mutable.ArrayBuilder

/** Builds a [[Sample]] of `n` predicates. */
private[adaptivefilter] final class SampleBuilder(n: Int) {

  private var rows = new ArrayBuilder.ofLong
  private var sampled = 0L
  private var evaluations = new Array[Long](n)
  private var cuts = new Array[Long](n)
  private var nanos = new Array[Long](n)
  private var count = 0

  /** Adds a row with the set of those predicates in `evaluated` that drop it. */
  def row(dropped: Long, evaluated: Long): Unit = {
    rows += dropped
    sampled = if (count == 0) evaluated else sampled & evaluated
    count += 1
  }

  /** Adds evaluations of predicate `k` and their total time in nanoseconds. */
  def evaluated(k: Int, times: Int, kept: Int, took: Long): Unit = {
    evaluations(k) += times
    cuts(k) += times - kept
    nanos(k) += math.max(0, took - SampleBuilder.ClockNanos)
  }

  def size: Int = count

  def nonEmpty: Boolean = evaluations.exists(_ > 0)

  /** Returns the sample of all that was added, and resets the builder. */
  def result(): Sample = {
    val sample = Sample(rows.result(), sampled, evaluations, cuts, nanos)
    rows = new ArrayBuilder.ofLong
    sampled = 0L
    evaluations = new Array[Long](n)
    cuts = new Array[Long](n)
    nanos = new Array[Long](n)
    count = 0
    sample
  }
}

private object SampleBuilder {

  /** The nanoseconds between two successive readings of the clock: the least of many tries. */
  private val ClockNanos: Long = {
    var least = Long.MaxValue
    (0 until 1000).foreach { _ =>
      val start = System.nanoTime()
      least = math.min(least, System.nanoTime() - start)
    }
    least
  }
}
