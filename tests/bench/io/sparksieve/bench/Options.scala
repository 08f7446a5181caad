package io.sparksieve.bench

import java.nio.file.{Path, Paths}

/**
 * The options of the command line.
 *
 * @param feature
 *   the feature whose cases are run
 * @param rows
 *   rows of the largest table; other tables scale with it
 * @param runs
 *   measured rounds; each round runs every variant once
 * @param patterns
 *   the cases to run: a name, a part of it up to a slash, or a pattern with `*`; empty for all
 * @param out
 *   folder of the JSON, Markdown and plan files
 * @param list
 *   print the names of the cases and stop
 */
final case class Options(
    feature: String,
    rows: Long = 10000000L,
    runs: Int = 5,
    patterns: Seq[String] = Nil,
    out: Path = Paths.get("target", "bench"),
    list: Boolean = false) {

  /** Whether the case called `name` is selected. */
  def selects(name: String): Boolean = patterns.isEmpty || patterns.exists(matches(_, name))

  /** The patterns that match none of `names`. */
  def unknown(names: Seq[String]): Seq[String] =
    patterns.filterNot(p => names.exists(matches(p, _)))

  private def matches(pattern: String, name: String): Boolean =
    if (pattern.contains("*")) name.matches(pattern.split("\\*", -1).map(quoted).mkString(".*"))
    else name == pattern || name.startsWith(pattern.stripSuffix("/") + "/")

  private def quoted(part: String) = java.util.regex.Pattern.quote(part)
}

object Options {

  val Usage: String =
    "bench <feature> [--rows N] [--runs N] [--cases a,b] [--out DIR] [--list]"

  /** Parses the arguments: the options, or an error message. */
  def parse(words: List[String]): Either[String, Options] = words match {
    case feature :: rest if !feature.startsWith("-") => more(rest, Options(feature))
    case _ => Left(s"Name a feature first: $Usage")
  }

  private def more(words: List[String], options: Options): Either[String, Options] = words match {
    case Nil => Right(options)
    case "--list" :: rest => more(rest, options.copy(list = true))
    case "--rows" :: value :: rest =>
      number("--rows", value).flatMap(n => more(rest, options.copy(rows = n)))
    case "--runs" :: value :: rest =>
      number("--runs", value).flatMap(n => more(rest, options.copy(runs = n.toInt)))
    case "--cases" :: value :: rest =>
      val patterns = value.split(',').map(_.trim).filter(_.nonEmpty).toSeq
      more(rest, options.copy(patterns = options.patterns ++ patterns))
    case "--out" :: value :: rest => more(rest, options.copy(out = Paths.get(value)))
    case word :: Nil if Seq("--rows", "--runs", "--cases", "--out").contains(word) =>
      Left(s"$word needs a value: $Usage")
    case word :: _ => Left(s"'$word' is not understood: $Usage")
  }

  private def number(word: String, value: String): Either[String, Long] = {
    val digits = value.replace("_", "")
    if (digits.matches("[1-9][0-9]{0,8}")) Right(digits.toLong)
    else Left(s"$word needs a whole number from 1 to 999999999, not '$value'.")
  }
}
