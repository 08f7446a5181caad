package io.sparksieve

import scopt.{OEffect, OParser}

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

  /** Whether a number is at least 1, as scopt's validation wants it. */
  def positive(name: String)(number: Long): Either[String, Unit] =
    if (number >= 1) Right(()) else Left(s"Option --$name takes a whole number of 1 or more.")
}
