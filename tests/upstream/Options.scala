// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import scopt.{OParser, Read}

import io.sparksieve.CommandLine

/**
 * The options of the command line.
 *
 * @param suites
 *   ends of the names of the suites to run; empty for all suites
 * @param share
 *   the share of the list to run, and the number of shares; None for the whole list
 * @param off
 *   whether to run only without Sieve, and to store the results
 * @param jvms
 *   how many JVMs run the suites
 * @param minutes
 *   after how many minutes a JVM is stopped
 */
final case class Options(
    suites: Seq[String] = Nil,
    share: Option[(Int, Int)] = None,
    off: Boolean = false,
    jvms: Int = 1,
    minutes: Int = 90) {

  def chosen(all: Seq[Suite]): Seq[Suite] = {
    val mine = share.fold(all) { case (n, of) => Suites.shares(all, of)(n) }
    if (suites.isEmpty) mine
    else {
      def ends(name: String, word: String) = name == word || name.endsWith("." + word)
      mine.filter(s => suites.exists(w => ends(s.name, w) || ends(s.className, w)))
    }
  }
}

object Options {

  private val builder = OParser.builder[Options]

  private val Share = "([0-9]{1,2})/([0-9]{1,2})".r

  private implicit val share: Read[(Int, Int)] = Read.reads {
    case Share(n, of) if 1 <= n.toInt && n.toInt <= of.toInt => (n.toInt - 1, of.toInt)
    case other => throw new IllegalArgumentException(s"'$other' is no share, as 2/18 is")
  }

  private val parser: OParser[_, Options] = {
    import builder._
    import CommandLine.number
    OParser.sequence(
      programName("upstream [--line ID]"),
      note("  --line ID                the line to run on: 4.2, 3.5-2.13"),
      opt[Seq[String]]("suites")
        .valueName("NAME,...")
        .text("only these suites of tests/upstream/suites.txt")
        .action((names, o) => o.copy(suites = o.suites ++ names)),
      opt[(Int, Int)]("share")
        .valueName("N/M")
        .text("only the share N (1 to M) of M that take about the same time")
        .action((part, o) => o.copy(share = Some(part))),
      opt[Unit]("off")
        .text("only without Sieve, and store the results in tests/upstream")
        .action((_, o) => o.copy(off = true)),
      number[Options]("jvms", most = 9)
        .text("divide the suites among this many JVMs of 3 GB (1)")
        .action((n, o) => o.copy(jvms = n)),
      number[Options]("minutes", most = 9999)
        .text("stop a JVM after this many minutes (90)")
        .action((n, o) => o.copy(minutes = n))
    )
  }

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(args: Seq[String]): Either[String, Options] =
    CommandLine.parse(parser, args, Options())
}
