package io.sparksieve.adaptivefilter

import scala.collection.mutable.ArrayBuilder

/** Puts a [[Sample]] of `n` predicates together. */
private[adaptivefilter] final class SampleBuilder(n: Int) {

  private var rows = new ArrayBuilder.ofLong
  private var sampled = 0L
  private var evaluations = new Array[Long](n)
  private var cuts = new Array[Long](n)
  private var nanos = new Array[Long](n)
  private var count = 0

  /** Adds a row with the set of predicates that drop it, of those in `asked`. */
  def row(dropped: Long, asked: Long): Unit = {
    rows += dropped
    sampled = if (count == 0) asked else sampled & asked
    count += 1
  }

  /** Adds evaluations of predicate `k`, and the nanoseconds that they took together. */
  def asked(k: Int, times: Int, kept: Int, took: Long): Unit = {
    evaluations(k) += times
    cuts(k) += times - kept
    nanos(k) += math.max(0, took - SampleBuilder.ClockNanos)
  }

  def size: Int = count

  def nonEmpty: Boolean = evaluations.exists(_ > 0)

  /** What was added; then the builder begins anew. */
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

  /** What asking the clock twice takes by itself: the least of many times. */
  private val ClockNanos: Long = {
    var least = Long.MaxValue
    (0 until 1000).foreach { _ =>
      val start = System.nanoTime()
      least = math.min(least, System.nanoTime() - start)
    }
    least
  }
}
