// SPDX-License-Identifier: Apache-2.0

/**
 * One of `parts` parts of the checks that take too long for every commit. Another part runs with the
 * next commit.
 *
 * @param number
 *   from 0
 */
final case class Part(number: Int, parts: Int) {

  /** Every so many elements, so that each part has slow and quick ones of a sorted sequence. */
  def of[A](all: Seq[A]): Seq[A] =
    all.zipWithIndex.collect { case (element, k) if k % parts == number => element }

  override def toString: String = s"${number + 1}/$parts"
}

object Part {

  /** The part of a commit, by the number of commits before it. */
  def at(commits: Int, parts: Int): Part = Part(commits % parts, parts)
}
