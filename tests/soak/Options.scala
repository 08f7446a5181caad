// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import scopt.OParser

import io.sparksieve.CommandLine

/**
 * The options of the command line.
 *
 * @param trials
 *   the names of the trials to run; empty for all
 * @param sessions
 *   how many sessions the soak opens, each for a few queries
 * @param threads
 *   how many sessions run queries at the same time
 * @param queries
 *   how many queries each of them runs
 * @param cancels
 *   how many queries are cancelled
 * @param batches
 *   how many batches each stream processes
 * @param keys
 *   how many keys the side of a join has in a small heap
 * @param seed
 *   what the random choices follow from
 */
final case class Options(
    trials: Seq[String] = Nil,
    sessions: Int = 1000,
    threads: Int = 16,
    queries: Int = 200,
    cancels: Int = 100,
    batches: Int = 1000,
    keys: Int = 100000000,
    seed: Long = 1) {

  def wants(trial: String): Boolean = trials.isEmpty || trials.contains(trial)
}

object Options {

  private val builder = OParser.builder[Options]

  private val parser: OParser[_, Options] = {
    import builder._
    import CommandLine.number
    OParser.sequence(
      programName("soak"),
      arg[String]("<trial>...")
        .optional()
        .unbounded()
        .text(s"some of ${Main.trials.map(_._1).mkString(", ")}; all if none is named")
        .validate(name =>
          if (Main.trials.exists(_._1 == name)) Right(()) else Left(s"There is no trial '$name'."))
        .action((name, o) => o.copy(trials = o.trials :+ name)),
      number[Options]("sessions", least = 20)
        .text("how many sessions the soak opens (1000)")
        .action((n, o) => o.copy(sessions = n)),
      number[Options]("threads")
        .text("how many sessions of the crowd run at the same time (16)")
        .action((n, o) => o.copy(threads = n)),
      number[Options]("queries")
        .text("how many queries each session of the crowd runs (200)")
        .action((n, o) => o.copy(queries = n)),
      number[Options]("cancels")
        .text("how many queries are cancelled (100)")
        .action((n, o) => o.copy(cancels = n)),
      number[Options]("batches")
        .text("how many batches each stream processes (1000)")
        .action((n, o) => o.copy(batches = n)),
      number[Options]("keys", least = 1000)
        .text("how many keys the side of a join has in a small heap (100000000)")
        .action((n, o) => o.copy(keys = n)),
      number[Options]("seed", least = 0)
        .text("what the random choices follow from (1)")
        .action((n, o) => o.copy(seed = n.toLong))
    )
  }

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(args: Seq[String]): Either[String, Options] =
    CommandLine.parse(parser, args, Options())
}
