// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.regex.{Pattern, PatternSyntaxException}

/**
 * Tests whether Java's matcher is safe for a pattern: for every string it raises no error and takes
 * time at most quadratic in the length of the string.
 *
 * Java's matcher backtracks. It matches a repeated group by recursion, so a long string overflows
 * the stack (`(a|b)*`). Nested repetitions take exponential time (`(a+)+b`), and n repetitions in
 * sequence take the n-th power of the length. Allowed are sequences of characters, character
 * classes, groups that are not repeated, and few repetitions of single characters.
 */
private[sparksieve] object Patterns {

  private[common] def isHarmlessRegex(pattern: String): Boolean = isWithin(pattern, HighestDegree)

  /** @param escape the escape character of the LIKE; a pattern that has it may be malformed */
  private[common] def isHarmlessLike(pattern: String, escape: Char): Boolean =
    isWithin(pattern, escape, HighestDegree)

  /** Whether a regular expression takes time at most linear in the length of the string. */
  def isLinearRegex(pattern: String): Boolean = isWithin(pattern, degree = 1)

  /** As [[isLinearRegex]], for the pattern of a LIKE. */
  def isLinearLike(pattern: String, escape: Char): Boolean = isWithin(pattern, escape, degree = 1)

  private def isWithin(pattern: String, degree: Int) =
    pattern.length <= MostCharacters && compiles(pattern) && new PatternReader(pattern).isWithin(
      degree)

  private def isWithin(pattern: String, escape: Char, degree: Int) =
    pattern.length <= MostCharacters && pattern.indexOf(escape) < 0 && {
      // A repetition at the end of the pattern causes no backtracking.
      val repetitions = pattern.count(_ == '%') - (if (pattern.endsWith("%")) 1 else 0)
      repetitions <= degree
    }

  private def compiles(pattern: String) =
    try {
      Pattern.compile(pattern)
      true
    } catch {
      case _: PatternSyntaxException => false
    }

  // Limits the stack depth: Java's matcher recurses from each part of a pattern to the next.
  private val MostCharacters = 256

  /** Greatest power of the string's length that the matching time may reach. */
  private val HighestDegree = 2

  /** Greatest number of ways to match the optional parts, bounded repetitions and alternatives. */
  private[common] val MostChoices = 64
}

/** Parses a regular expression as far as it has the allowed form, and computes its cost. */
private final class PatternReader(pattern: String) {
  import PatternReader._

  private var at = 0

  /** Whether matching takes time of at most this power of the string's length. */
  def isWithin(degree: Int): Boolean = {
    if (pattern.startsWith("(?i)") || pattern.startsWith("(?s)")) at = 4
    val begin = at
    alternatives(0).exists { all =>
      // Without an anchor, the matcher tries every start position.
      val anchored = at > begin && pattern.charAt(begin) == '^' && all.single
      at == pattern.length && all.choices <= Patterns.MostChoices &&
      all.degree - (if (all.single && all.endsOpen) 1 else 0) + (if (anchored) 0 else 1) <= degree
    }
  }

  private def alternatives(depth: Int): Option[Cost] = {
    var all = sequence(depth)
    while (all.nonEmpty && next('|'))
      all =
        for (a <- all; b <- sequence(depth))
          yield Cost(
            math.max(a.degree, b.degree),
            a.choices + b.choices,
            single = false,
            endsOpen = false)
    all
  }

  private def sequence(depth: Int): Option[Cost] = {
    var all = Option(Once)
    while (all.nonEmpty && at < pattern.length && !"|)".contains(pattern.charAt(at)))
      all =
        for (a <- all; b <- part(depth))
          yield Cost(a.degree + b.degree, a.choices * b.choices, single = true, b.endsOpen)
    all.filter(_.choices <= Patterns.MostChoices)
  }

  private def part(depth: Int): Option[Cost] =
    if (next('(')) {
      if (pattern.startsWith("?:", at)) at += 2
      val inner = if (peek('?') || depth == MostDepth) None else alternatives(depth + 1)
      inner
        .filter(_ => next(')') && !isQuantifier)
        .map(_.copy(endsOpen = false))
    } else if (next('^') || next('$')) Some(Once).filter(_ => !isQuantifier)
    else if (character) quantifier
    else None

  /** Skips a part that matches exactly one character; false if there is no allowed one. */
  private def character: Boolean = pattern.charAt(at) match {
    case '[' => characterClass
    case '\\' => escaped
    case '*' | '+' | '?' | '{' => false
    case _ =>
      at += 1
      true
  }

  private def characterClass: Boolean = {
    at += 1
    next('^')
    val begin = at
    var valid = true
    while (valid && at < pattern.length && !peek(']')) {
      if (peek('\\')) valid = escaped
      else {
        valid = !peek('[') && !peek('&')
        at += 1
      }
    }
    valid && at > begin && next(']')
  }

  private def escaped: Boolean = at + 1 < pattern.length && {
    val c = pattern.charAt(at + 1)
    at += 2
    "dDwWsStnr".indexOf(c) >= 0 || (c < 128 && !Character.isLetterOrDigit(c))
  }

  private def isQuantifier = at < pattern.length && "*+?{".indexOf(pattern.charAt(at)) >= 0

  private def quantifier: Option[Cost] =
    if (!isQuantifier) Some(Once)
    else {
      val cost =
        if (next('*') || next('+')) Some(Unbounded)
        else if (next('?')) Some(Once.copy(choices = 2))
        else counted
      // A second symbol makes the quantifier reluctant or possessive.
      if (!next('?')) next('+')
      cost.filter(_ => !isQuantifier)
    }

  private def counted: Option[Cost] = {
    val found = Counts.matcher(pattern).region(at, pattern.length)
    if (!found.lookingAt()) None
    else {
      at = found.end
      val least = found.group(1).toInt
      if (least > MostRepeated) None
      else if (found.group(2) == null) Some(Once)
      else if (found.group(3).isEmpty) Some(Unbounded)
      else {
        val most = found.group(3).toInt
        if (most < least || most > MostRepeated) None
        else Some(Once.copy(choices = most - least + 1))
      }
    }
  }

  private def peek(c: Char) = at < pattern.length && pattern.charAt(at) == c

  private def next(c: Char): Boolean = {
    val found = peek(c)
    if (found) at += 1
    found
  }
}

private object PatternReader {

  /**
   * The cost of matching a part of a pattern.
   *
   * @param degree
   *   power of the string's length
   * @param choices
   *   number of ways to match the part, apart from unbounded repetitions
   * @param single
   *   whether the part has no alternatives (`|`) at its top level
   * @param endsOpen
   *   whether the part ends with a repetition without an upper bound
   */
  final case class Cost(degree: Int, choices: Int, single: Boolean, endsOpen: Boolean)

  val Once: Cost = Cost(0, 1, single = true, endsOpen = false)

  val Unbounded: Cost = Cost(1, 1, single = true, endsOpen = true)

  private val Counts = Pattern.compile("\\{(\\d{1,4})(,(\\d{0,4}))?\\}")

  private val MostDepth = 8
  private val MostRepeated = 64
}
