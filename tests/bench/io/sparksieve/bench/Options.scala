// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.{Path, Paths}

import scopt.OParser

import io.sparksieve.CommandLine

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

  private val builder = OParser.builder[Options]

  private val parser: OParser[_, Options] = {
    import builder._
    OParser.sequence(
      programName("bench"),
      arg[String]("<feature>").action((name, o) => o.copy(feature = name)),
      CommandLine
        .number[Options]("rows")
        .text("rows of the largest table; others scale with it (10_000_000)")
        .action((n, o) => o.copy(rows = n.toLong)),
      CommandLine
        .number[Options]("runs")
        .text("measured rounds; each runs every variant once (5)")
        .action((n, o) => o.copy(runs = n)),
      opt[Seq[String]]("cases")
        .valueName("a,b")
        .text("these cases: a name, a part of it up to a slash, or a pattern with *")
        .action((names, o) => o.copy(patterns = o.patterns ++ names.map(_.trim))),
      opt[String]("out")
        .valueName("DIR")
        .text("folder of the results (target/bench)")
        .action((folder, o) => o.copy(out = Paths.get(folder))),
      opt[Unit]("list")
        .text("print the names of the cases and stop")
        .action((_, o) => o.copy(list = true))
    )
  }

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(words: Seq[String]): Either[String, Options] =
    CommandLine.parse(parser, words, Options(feature = ""))
}
