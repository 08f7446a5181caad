package io.sparksieve.bench

import java.nio.file.{Path, Paths}

/**
 * What the command line asks for.
 *
 * @param room
 *   the room whose cases are run
 * @param rows
 *   rows of the largest table; smaller ones are in proportion
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
    room: String,
    rows: Long = 10000000L,
    runs: Int = 5,
    patterns: Seq[String] = Nil,
    out: Path = Paths.get("target", "bench"),
    list: Boolean = false) {

  /** Whether the case called `name` was asked for. */
  def selects(name: String): Boolean = patterns.isEmpty || patterns.exists(matches(_, name))

  /** Patterns that name none of `names`. */
  def unknown(names: Seq[String]): Seq[String] =
    patterns.filterNot(p => names.exists(matches(p, _)))

  private def matches(pattern: String, name: String): Boolean =
    if (pattern.contains("*")) name.matches(pattern.split("\\*", -1).map(quoted).mkString(".*"))
    else name == pattern || name.startsWith(pattern.stripSuffix("/") + "/")

  private def quoted(part: String) = java.util.regex.Pattern.quote(part)
}

object Options {

  val Usage: String =
    "bench <room> [--rows N] [--runs N] [--cases a,b] [--out DIR] [--list]"

  /** The options, or what is wrong with the words. */
  def parse(words: List[String]): Either[String, Options] = words match {
    case room :: rest if !room.startsWith("-") => more(rest, Options(room))
    case _ => Left(s"Name a room first: $Usage")
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
