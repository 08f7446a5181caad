// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.api

import java.util.Locale

/** The keywords of filters, in the spelling that JSON uses. */
private[bulkfilter] object FilterKeywords {

  val Include = "Include"
  val Exclude = "Exclude"
  val And = "AND"
  val Or = "OR"
  val Keep = "keep"
  val Drop = "drop"

  /**
   * The allowed keyword that equals `word`, case-insensitively.
   *
   * @throws IllegalArgumentException
   *   if there is none; the message names `what` and all `allowed` keywords
   */
  private def known(what: String, word: String, allowed: String*): String = {
    def folded(w: String) = Option(w).getOrElse("").toLowerCase(Locale.ROOT)
    allowed.find(folded(_) == folded(word)).getOrElse {
      throw new IllegalArgumentException(
        s"'$word' is not $what; allowed are ${allowed.mkString(", ")}")
    }
  }

  def operation(word: String): String = known("an operation", word, Include, Exclude)

  def operator(word: String): String = known("an operator", word, And, Or)

  /**
   * How rows with a NULL key are treated. NULL is in no file, so the default (an empty `word`) is
   * to drop these rows for Include and to keep them for Exclude.
   */
  def nulls(word: String, operation: String): String =
    if (word.isEmpty) { if (operation == Include) Drop else Keep }
    else known("a treatment of nulls", word, Keep, Drop)
}
