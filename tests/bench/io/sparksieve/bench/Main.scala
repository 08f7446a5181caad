// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.Path

import scala.util.control.NonFatal

/**
 * Runs a feature's benchmarks, prints a table and writes `<feature>.json`, `<feature>.md` and
 * `<feature>-plans.txt`. The exit code is 1 if a case failed, returned different rows, or did not
 * change a plan that it should have changed; it is 2 if the arguments are wrong. Durations are
 * reported, never asserted.
 */
object Main {

  def main(args: Array[String]): Unit = {
    val code = Options.parse(args.toSeq).flatMap(chosen) match {
      case Left(problem) =>
        System.err.println(s"bench: $problem")
        2
      case Right((options, cases)) if options.list =>
        cases.foreach(c => println(s"${c.name.padTo(44, ' ')} ${c.about}"))
        0
      case Right((options, cases)) => run(options, cases)
    }
    // Spark leaves non-daemon threads running.
    System.exit(code)
  }

  private def chosen(options: Options): Either[String, (Options, Seq[Case])] = {
    val features = CaseGroups.features
    features.get(options.feature) match {
      case None =>
        Left(
          s"There is no feature '${options.feature}'. Features: ${features.keys.mkString(", ")}.")
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
      // The first query also measures off against off, which shows the noise of the machine.
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
        // Reports are written after each case, so that a long run that is stopped keeps its
        // results.
        write(bench, before :+ result)
        before :+ result
      }
      println(TextReport(Settings(bench), results))
      write(bench, results).foreach(file => println(s"wrote $file"))
      if (results.forall(_.failures.isEmpty)) 0 else 1
    } finally bench.close()
  }

  private def write(bench: Bench, results: Seq[CaseResult]): Seq[Path] = {
    val feature = bench.options.feature
    val settings = Settings(bench)
    Seq(
      bench.write(s"$feature.json", JsonReport(settings, results)),
      bench.write(s"$feature.md", MarkdownReport(settings, results)),
      bench.write(s"$feature-plans.txt", PlansReport(results))
    )
  }
}
