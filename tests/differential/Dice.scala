// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import scala.util.Random

/** Random choices, all determined by one seed. */
final class Dice(seed: Long) {

  private val random = new Random(Dice.scrambled(seed))

  /** One of 0, …, n - 1. */
  def below(n: Int): Int = random.nextInt(n)

  /** One of `from`, …, `to`, both included. */
  def between(from: Int, to: Int): Int = from + below(to - from + 1)

  def chance(percent: Int): Boolean = below(100) < percent

  def oneOf[T](choices: Seq[T]): T = choices(below(choices.length))

  /** A config with one of `values`, in so many percent of the cases. */
  def sometimes(percent: Int, key: String, values: String*): Map[String, String] =
    if (chance(percent)) Map(key -> oneOf(values)) else Map.empty

  /** `n` of `choices`, or all if they are fewer, in any order. */
  def some[T](choices: Seq[T], n: Int): Seq[T] = random.shuffle(choices).take(n)

  /** A choice; its probability is proportional to its weight. */
  def weighted[T](choices: (Int, T)*): T = {
    val at = below(choices.map(_._1).sum)
    val ends = choices.scanLeft(0)(_ + _._1).tail
    choices(ends.indexWhere(at < _))._2
  }
}

object Dice {

  /** The seed of part `n` of everything that `seed` determines. */
  def seed(seed: Long, n: Long): Long = scrambled(seed) ^ scrambled(n + 1)

  // Similar seeds of Random give similar first numbers; this spreads the seeds (the finaliser of
  // SplitMix64).
  private def scrambled(seed: Long): Long = {
    val a = (seed ^ (seed >>> 30)) * 0xbf58476d1ce4e5b9L
    val b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL
    b ^ (b >>> 31)
  }
}
