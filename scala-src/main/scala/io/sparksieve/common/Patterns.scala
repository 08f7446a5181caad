package io.sparksieve.common

import java.util.regex.{Pattern, PatternSyntaxException}

/**
 * Patterns that Java's matcher finishes with, whatever the string: no error, and time at most
 * quadratic in its length.
 *
 * Java matches by trying: a group that repeats is matched by recursion, so that a long string
 * overflows the stack (`(a|b)*`); repetitions of repetitions take exponential time (`(a+)+b`), and n
 * repetitions side by side the n-th power of the length. Allowed are sequences of characters,
 * classes, groups that do not repeat and few repetitions of single characters.
 */
private[common] object Patterns {

  def isHarmlessRegex(pattern: String): Boolean =
    pattern.length <= MostCharacters && compiles(pattern) && new PatternReader(pattern).isHarmless

  /** @param escape that of the LIKE; a pattern that has it may be malformed */
  def isHarmlessLike(pattern: String, escape: Char): Boolean =
    pattern.length <= MostCharacters && pattern.indexOf(escape) < 0 && {
      // Nothing is tried again after the last one, if it ends the pattern.
      val repetitions = pattern.count(_ == '%') - (if (pattern.endsWith("%")) 1 else 0)
      repetitions <= HighestDegree
    }

  private def compiles(pattern: String) =
    try {
      Pattern.compile(pattern)
      true
    } catch {
      case _: PatternSyntaxException => false
    }

  // Java calls a method for each part of a pattern within that of the part before.
  private val MostCharacters = 256

  /** Power of the string's length that matching may take. */
  private[common] val HighestDegree = 2

  /** Ways to match the parts that may be there or not, or are one of several. */
  private[common] val MostChoices = 64
}

/** Reads a regular expression as far as it is of the allowed kind. */
private final class PatternReader(pattern: String) {
  import PatternReader._

  private var at = 0

  def isHarmless: Boolean = {
    if (pattern.startsWith("(?i)") || pattern.startsWith("(?s)")) at = 4
    val begin = at
    alternatives(0).exists { all =>
      // A match is looked for from every place on, if it need not be at the beginning.
      val anchored = at > begin && pattern.charAt(begin) == '^' && all.single
      at == pattern.length && all.choices <= Patterns.MostChoices &&
      all.degree - (if (all.single && all.endsOpen) 1 else 0) + (if (anchored) 0 else 1) <=
        Patterns.HighestDegree
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

  /** Moves behind what matches one character. */
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
      // It may be reluctant or possessive.
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
   * What matching takes.
   *
   * @param degree
   *   power of the string's length
   * @param choices
   *   ways to match it apart from that
   * @param single
   *   whether it is no alternative of several
   * @param endsOpen
   *   whether it ends with a repetition without an upper bound
   */
  final case class Cost(degree: Int, choices: Int, single: Boolean, endsOpen: Boolean)

  val Once: Cost = Cost(0, 1, single = true, endsOpen = false)

  val Unbounded: Cost = Cost(1, 1, single = true, endsOpen = true)

  private val Counts = Pattern.compile("\\{(\\d{1,4})(,(\\d{0,4}))?\\}")

  private val MostDepth = 8
  private val MostRepeated = 64
}
