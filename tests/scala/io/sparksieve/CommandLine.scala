// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import scopt.{OEffect, OParser, Read}

/** Parses the arguments of test programs. */
object CommandLine {

  /**
   * The options that `args` set, on top of `defaults`. Left is what is wrong with the arguments, and
   * the usage.
   */
  def parse[C](parser: OParser[_, C], args: Seq[String], defaults: C): Either[String, C] = {
    val (parsed, effects) = OParser.runParser(parser, args, defaults)
    val errors = effects.collect { case OEffect.ReportError(message) => message }
    parsed.toRight((errors :+ OParser.usage(parser)).mkString("\n"))
  }

  /** An option with a whole number from `least` to `most`. Underscores may separate its digits. */
  def number[C](name: String, least: Int = 1, most: Int = 999999999): OParser[Int, C] =
    OParser
      .builder[C]
      .opt[Int](name)(Read.reads(_.replace("_", "").toInt))
      .validate { n =>
        if (least <= n && n <= most) Right(())
        else Left(s"Option --$name takes a whole number from $least to $most.")
      }
}
