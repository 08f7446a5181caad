package io.sparksieve.bulkfilter

import java.util.Locale

/** The words that filters are made of, each in the one way that JSON writes it. */
private[bulkfilter] object Words {

  val Include = "Include"
  val Exclude = "Exclude"
  val And = "AND"
  val Or = "OR"
  val Keep = "keep"
  val Drop = "drop"

  /** The word that `word` is, in whatever case; an error that names `what` and all `allowed`. */
  private def known(what: String, word: String, allowed: String*): String = {
    def folded(w: String) = Option(w).getOrElse("").toLowerCase(Locale.ROOT)
    allowed.find(folded(_) == folded(word)).getOrElse {
      throw new IllegalArgumentException(
        s"'$word' is not $what; allowed are ${allowed.mkString(", ")}")
    }
  }

  def operation(word: String): String = known("an operation", word, Include, Exclude)

  def operator(word: String): String = known("an operator", word, And, Or)

  /** What becomes of rows whose key is NULL; a file never has them, so Exclude keeps them. */
  def nulls(word: String, operation: String): String =
    if (word.isEmpty) { if (operation == Include) Drop else Keep }
    else known("a treatment of nulls", word, Keep, Drop)
}
