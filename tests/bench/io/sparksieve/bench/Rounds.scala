// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import scala.collection.mutable

/** Measures variants in turns, so that a disturbance of the machine affects all of them. */
object Rounds {

  /**
   * Runs each of `names` once per round, in reverse order every other round.
   *
   * @param run
   *   runs one variant and returns its milliseconds
   * @return
   *   for each name, a timing of `rounds` samples
   */
  def apply(names: Seq[String], rounds: Int)(run: String => Double): Map[String, Timing] = {
    val samples = mutable.Map.empty[String, Vector[Double]].withDefaultValue(Vector.empty)
    for (round <- 0 until rounds) {
      val order = if (round % 2 == 0) names else names.reverse
      order.foreach(name => samples(name) = samples(name) :+ run(name))
    }
    samples.map { case (name, values) => name -> Timing(values) }.toMap
  }

  /** Milliseconds that `body` takes. */
  def milliseconds(body: => Unit): Double = {
    val start = System.nanoTime()
    body
    (System.nanoTime() - start) / 1e6
  }
}

/**
 * Samples of one variant.
 *
 * @param samples
 *   milliseconds, in the order in which they were taken
 */
final case class Timing(samples: Vector[Double]) {
  private val sorted = samples.sorted

  def min: Double = sorted.head
  def max: Double = sorted.last

  def median: Double = {
    val middle = sorted.length / 2
    if (sorted.length % 2 == 1) sorted(middle) else (sorted(middle - 1) + sorted(middle)) / 2
  }
}
