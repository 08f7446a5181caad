package io.sparksieve.differential

/**
 * The options of the command line.
 *
 * @param queries
 *   how many queries to run
 * @param minutes
 *   stop after this many minutes
 * @param only
 *   run only the query of this number, which a failure's report names
 * @param asIs
 *   show failing queries without shrinking them, which is faster
 */
final case class Options(
    generator: Generator,
    queries: Int = 300,
    seed: Long = 1,
    minutes: Option[Int] = None,
    only: Option[Int] = None,
    asIs: Boolean = false,
    verbose: Boolean = false)

object Options {

  private val Usage =
    s"""usage: differential <feature> [--queries N] [--seed S] [--minutes M] [--query I] [--as-is] [--verbose]
       |features: ${Generator.all.map(_.feature).mkString(", ")}
       |  --queries N  how many random queries (300)
       |  --seed S     what all of them follow from (1)
       |  --minutes M  stop after so many minutes
       |  --query I    run only the query of this number
       |  --as-is      do not make failing queries smaller
       |  --verbose    print each query""".stripMargin

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(args: List[String]): Either[String, Options] = args match {
    case feature :: rest if !feature.startsWith("-") =>
      Generator.all
        .find(_.feature == feature)
        .toRight(s"There is no feature '$feature'.\n$Usage")
        .flatMap(g => flags(Options(g), rest))
    case _ => Left(s"Name a feature.\n$Usage")
  }

  private def flags(o: Options, args: List[String]): Either[String, Options] = args match {
    case Nil => Right(o)
    case "--verbose" :: rest => flags(o.copy(verbose = true), rest)
    case "--as-is" :: rest => flags(o.copy(asIs = true), rest)
    case "--queries" :: n :: rest => number(n).flatMap(v => flags(o.copy(queries = v.toInt), rest))
    case "--seed" :: n :: rest => number(n).flatMap(v => flags(o.copy(seed = v), rest))
    case "--minutes" :: n :: rest =>
      number(n).flatMap(v => flags(o.copy(minutes = Some(v.toInt)), rest))
    case "--query" :: n :: rest =>
      number(n).flatMap(v => flags(o.copy(only = Some(v.toInt)), rest))
    case other :: _ => Left(s"'$other' is no option, or its number is missing.\n$Usage")
  }

  private def number(text: String): Either[String, Long] =
    if (text.matches("[0-9]{1,9}")) Right(text.toLong)
    else Left(s"'$text' is no number from 0 to 999999999.\n$Usage")
}
