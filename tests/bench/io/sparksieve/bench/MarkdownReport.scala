// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/** The report as a Markdown page. */
object MarkdownReport {

  def apply(settings: Settings, results: Seq[CaseResult]): String = {
    val tables = Tabulation.of(results).map { t =>
      val rows = t.cells.map(_.mkString("| ", " | ", " |"))
      val rule = t.cells.head.map(_ => "---").mkString("| ", " | ", " |")
      s"## ${t.title}\n\n${(rows.head +: rule +: rows.tail).mkString("\n")}"
    }
    val noise = Noise(results).map("- " + _)
    val data = settings.data.map { case (d, bytes) =>
      s"- `${d.name}`: ${Figures.count(d.rows)} rows, ${d.format}, ${Figures.bytes(bytes)}"
    }
    val failures = results.flatMap(r => r.failures.map(f => s"- **${r.name}**: $f"))
    val sections = Seq(
      Seq(s"# Benchmarks of ${settings.feature}"),
      tables,
      section("Summary", Summary(results).map("- " + _)),
      section("Noise: the same thing measured twice", noise),
      section("Failures", failures),
      section("Settings", settings.entries.map { case (k, v) => s"- $k: $v" }),
      section("Data", data),
      Seq("## Cases") ++ results.map(described)
    )
    sections.flatten.mkString("", "\n\n", "\n")
  }

  private def section(title: String, lines: Seq[String]): Seq[String] =
    if (lines.isEmpty) Nil else Seq(s"## $title\n\n${lines.mkString("\n")}")

  private def described(r: CaseResult): String = {
    val conf = r.conf.toSeq.sorted.map { case (k, v) => s"- `$k` = `$v`" }
    val shapes = for (v <- r.variants; s <- v.shape) yield s"- ${v.name}: ${s.summary}"
    val sql = if (r.sql.length > 2000) r.sql.take(2000) + " ..." else r.sql
    s"### ${r.name}\n\n${r.about}\n\n```sql\n$sql\n```\n\n${(conf ++ shapes).mkString("\n")}".trim
  }
}

/** The plans of all cases as text. */
object PlansReport {

  def apply(results: Seq[CaseResult]): String = results
    .map { r =>
      val plans = r.variants.filter(_.optimized.nonEmpty).map { v =>
        val physical = v.shape.map(s => s"\n-- ${v.name}, physical\n${s.text}").getOrElse("")
        s"-- ${v.name}, optimized\n${v.optimized}$physical"
      }
      s"==== ${r.name}: ${r.about}\n${plans.mkString("\n")}"
    }
    .mkString("", "\n\n", "\n")
}
