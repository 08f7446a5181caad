package io.sparksieve.upstream

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

  private val Usage =
    """usage: upstream [--line ID] [--suites NAME,…] [--share N/M] [--off] [--jvms N] [--minutes N]
      |  --line ID      the line to run on: 4.2, 3.5-2.13
      |  --suites NAME  only these suites of tests/upstream/suites.txt
      |  --share N/M    only the share N (1 to M) of M that take about the same time
      |  --off          only without Sieve, and store what comes of it in tests/upstream
      |  --jvms N       share the suites among so many JVMs of 3 GB (1)
      |  --minutes N    stop a JVM after so many minutes (90)""".stripMargin

  private val Share = "([0-9]{1,2})/([0-9]{1,2})".r

  /** Parses the arguments. Left is an error message with the usage. */
  def parse(args: List[String], options: Options = Options()): Either[String, Options] =
    args match {
      case Nil => Right(options)
      case "--suites" :: names :: rest =>
        parse(rest, options.copy(suites = options.suites ++ names.split(',')))
      case "--share" :: Share(n, of) :: rest if 1 <= n.toInt && n.toInt <= of.toInt =>
        parse(rest, options.copy(share = Some((n.toInt - 1, of.toInt))))
      case "--off" :: rest => parse(rest, options.copy(off = true))
      case "--jvms" :: n :: rest if n.matches("[1-9]") =>
        parse(rest, options.copy(jvms = n.toInt))
      case "--minutes" :: n :: rest if n.matches("[1-9][0-9]{0,3}") =>
        parse(rest, options.copy(minutes = n.toInt))
      case other :: _ => Left(s"'$other' is no option, or its value is missing or wrong.\n$Usage")
    }
}
