package io.sparksieve.bench

import java.nio.file.Path

import scala.util.control.NonFatal

/**
 * Runs a room's benchmarks, prints a table and writes `<room>.json`, `<room>.md` and
 * `<room>-plans.txt`. Exit code 1 when a case gave other rows, when a plan that should have changed
 * did not, or when a case failed; 2 when the words are wrong. How long anything took is reported,
 * never asserted.
 */
object Main {

  def main(args: Array[String]): Unit = {
    val code = Options.parse(args.toList).flatMap(chosen) match {
      case Left(problem) =>
        System.err.println(s"bench: $problem")
        2
      case Right((options, cases)) if options.list =>
        cases.foreach(c => println(s"${c.name.padTo(44, ' ')} ${c.about}"))
        0
      case Right((options, cases)) => run(options, cases)
    }
    // Spark leaves threads behind that are no daemons.
    System.exit(code)
  }

  private def chosen(options: Options): Either[String, (Options, Seq[Case])] = {
    val rooms = CaseGroups.rooms
    rooms.get(options.room) match {
      case None => Left(s"There is no room '${options.room}'. Rooms: ${rooms.keys.mkString(", ")}.")
      case Some(groups) =>
        val cases = groups.flatMap(_.cases(options.rows))
        val unknown = options.unknown(cases.map(_.name))
        if (unknown.isEmpty) Right((options, cases.filter(c => options.selects(c.name))))
        else Left(s"No case is called ${unknown.mkString(", ")}: --list shows the names.")
    }
  }

  private def run(options: Options, cases: Seq[Case]): Int = {
    val bench = new Bench(options)
    try {
      // Off against off: what a ratio of 1 looks like here and now.
      val control = cases.collectFirst { case q: QueryCase => q.name }
      val results = cases.zipWithIndex.foldLeft(Vector.empty[CaseResult]) { case (before, (c, i)) =>
        println(s"[${i + 1}/${cases.length}] ${c.name}: ${c.about}")
        val result =
          try c.measure(bench, control.contains(c.name))
          catch {
            case NonFatal(e) if bench.stopped =>
              val message =
                s"Spark was stopped during ${c.name}; the reports hold the cases before."
              throw new IllegalStateException(message, e)
            case NonFatal(e) => CaseResult.failed(c, e)
          }
        println(TextReport.line(result))
        // After each case: a long run that is stopped keeps what it has measured.
        write(bench, before :+ result)
        before :+ result
      }
      println(TextReport(Settings(bench), results))
      write(bench, results).foreach(file => println(s"wrote $file"))
      if (results.forall(_.failures.isEmpty)) 0 else 1
    } finally bench.close()
  }

  private def write(bench: Bench, results: Seq[CaseResult]): Seq[Path] = {
    val room = bench.options.room
    val settings = Settings(bench)
    Seq(
      bench.write(s"$room.json", JsonReport(settings, results)),
      bench.write(s"$room.md", MarkdownReport(settings, results)),
      bench.write(s"$room-plans.txt", PlansReport(results))
    )
  }
}
