// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import java.util.Locale

/** Finds the name that a misspelt one was meant to be. */
private[sparksieve] object Spelling {

  /**
   * The nearest of the `known` names, and its Levenshtein distance: the number of letters to
   * insert, delete or replace. Case is ignored.
   */
  def nearest(name: String, known: Iterable[String]): (String, Int) = {
    val letters = name.toLowerCase(Locale.ROOT)
    known.map(k => (k, distance(letters, k.toLowerCase(Locale.ROOT)))).minBy(_.swap)
  }

  private def distance(a: String, b: String): Int =
    a.foldLeft((0 to b.length).toVector) { (above, letter) =>
      b.zipWithIndex.foldLeft(Vector(above.head + 1)) { case (row, (other, i)) =>
        val replaced = above(i) + (if (letter == other) 0 else 1)
        row :+ math.min(replaced, math.min(above(i + 1), row.last) + 1)
      }
    }.last
}
