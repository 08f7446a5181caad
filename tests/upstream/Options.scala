package io.sparksieve.upstream

/**
 * What the command line wants.
 *
 * @param suites
 *   ends of the names of the only suites to run; all, if it is empty
 * @param third
 *   which third of the list to run: 0, 1 or 2
 * @param off
 *   whether to run without Sieve only, and to store what comes of it
 * @param jvms
 *   how many JVMs share the suites
 * @param minutes
 *   after how many minutes a JVM is stopped
 */
final case class Options(
    suites: Seq[String] = Nil,
    third: Option[Int] = None,
    off: Boolean = false,
    jvms: Int = 1,
    minutes: Int = 90) {

  def chosen(all: Seq[Suite]): Seq[Suite] = {
    val mine = third.fold(all)(Suites.shares(all, Options.Thirds)(_))
    if (suites.isEmpty) mine
    else {
      def ends(name: String, word: String) = name == word || name.endsWith("." + word)
      mine.filter(s => suites.exists(w => ends(s.name, w) || ends(s.className, w)))
    }
  }
}

object Options {

  private val Thirds = 3

  private val Usage =
    """usage: upstream [--line ID] [--suites NAME,…] [--third N] [--off] [--jvms N] [--minutes N]
      |  --line ID      the line to run on: 4.2, 3.5-2.13
      |  --suites NAME  only these suites of tests/upstream/suites.txt
      |  --third N      only the third N (0, 1, 2) of them, which takes a third of the time
      |  --off          only without Sieve, and store what comes of it in tests/upstream
      |  --jvms N       share the suites among so many JVMs of 3 GB (1)
      |  --minutes N    stop a JVM after so many minutes (90)""".stripMargin

  /** Left: what is wrong, and the usage. */
  def parse(args: List[String], options: Options = Options()): Either[String, Options] =
    args match {
      case Nil => Right(options)
      case "--suites" :: names :: rest =>
        parse(rest, options.copy(suites = options.suites ++ names.split(',')))
      case "--third" :: n :: rest if n.matches("[0-2]") =>
        parse(rest, options.copy(third = Some(n.toInt)))
      case "--off" :: rest => parse(rest, options.copy(off = true))
      case "--jvms" :: n :: rest if n.matches("[1-9]") =>
        parse(rest, options.copy(jvms = n.toInt))
      case "--minutes" :: n :: rest if n.matches("[1-9][0-9]{0,3}") =>
        parse(rest, options.copy(minutes = n.toInt))
      case other :: _ => Left(s"'$other' is no option, or its value is missing or wrong.\n$Usage")
    }
}
