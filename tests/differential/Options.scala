// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import java.nio.file.Path

import scopt.OParser

import io.sparksieve.CommandLine

/**
 * The options of the command line.
 *
 * @param queries
 *   how many queries to run
 * @param minutes
 *   stop after this many minutes
 * @param only
 *   run only the query of this number, which a failure's report names
 * @param counts
 *   the file to which the numbers of queries and failures are added ([[Counts]])
 * @param asIs
 *   show failing queries without shrinking them, which is faster
 */
final case class Options(
    generator: Generator,
    queries: Int = 300,
    seed: Long = 1,
    minutes: Option[Int] = None,
    only: Option[Int] = None,
    counts: Option[Path] = None,
    asIs: Boolean = false,
    verbose: Boolean = false)

object Options {

  private val builder = OParser.builder[Options]

  private val parser: OParser[_, Options] = {
    import builder._
    import CommandLine.number
    val features = Generator.all.map(_.feature).mkString(", ")
    OParser.sequence(
      programName("differential"),
      arg[String]("<feature>")
        .text(s"one of $features")
        .validate(name => generator(name).map(_ => ()))
        .action((name, o) => generator(name).fold(_ => o, g => o.copy(generator = g))),
      number[Options]("queries", least = 0)
        .text("how many random queries (300)")
        .action((n, o) => o.copy(queries = n)),
      number[Options]("seed", least = 0)
        .text("what all of them follow from (1)")
        .action((n, o) => o.copy(seed = n.toLong)),
      number[Options]("minutes", least = 0)
        .text("stop after this many minutes")
        .action((n, o) => o.copy(minutes = Some(n))),
      number[Options]("query", least = 0)
        .text("run only the query of this number")
        .action((n, o) => o.copy(only = Some(n))),
      opt[String]("counts")
        .valueName("FILE")
        .text("add the numbers of queries and failures to this file")
        .action((file, o) => o.copy(counts = Some(Path.of(file)))),
      opt[Unit]("as-is")
        .text("do not make failing queries smaller")
        .action((_, o) => o.copy(asIs = true)),
      opt[Unit]("verbose")
        .text("print each query")
        .action((_, o) => o.copy(verbose = true))
    )
  }

  private def generator(feature: String): Either[String, Generator] =
    Generator.all.find(_.feature == feature).toRight(s"There is no feature '$feature'.")

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(args: Seq[String]): Either[String, Options] =
    CommandLine.parse(parser, args, Options(Generator.all.head))
}
