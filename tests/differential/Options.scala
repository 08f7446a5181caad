package io.sparksieve.differential

/**
 * What the command line asks for.
 *
 * @param queries
 *   how many queries to run
 * @param minutes
 *   after how many minutes to stop, if not before
 * @param only
 *   the number of the one query to run, which a failure's report names
 * @param asIs
 *   whether failing queries are shown as they are, which is quicker than making them smaller
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
    s"""usage: differential <room> [--queries N] [--seed S] [--minutes M] [--query I] [--as-is] [--verbose]
       |rooms: ${Generator.all.map(_.room).mkString(", ")}
       |  --queries N  how many random queries (300)
       |  --seed S     what all of them follow from (1)
       |  --minutes M  stop after so many minutes
       |  --query I    run only the query of this number
       |  --as-is      do not make failing queries smaller
       |  --verbose    print each query""".stripMargin

  /** Left: what is wrong, and the usage. */
  def parse(args: List[String]): Either[String, Options] = args match {
    case room :: rest if !room.startsWith("-") =>
      Generator.all
        .find(_.room == room)
        .toRight(s"There is no room '$room'.\n$Usage")
        .flatMap(g => flags(Options(g), rest))
    case _ => Left(s"Name a room.\n$Usage")
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
