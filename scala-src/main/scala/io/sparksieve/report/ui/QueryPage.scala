// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.util.Try
import scala.xml.{Node, NodeSeq, Text}

import org.apache.spark.sql.sieve.{TabRequest, TabRows}

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.Outcome

/** The page of one query: verdicts, scans, measurements and orders of predicates. */
private[ui] object QueryPage {
  import Html._

  def apply(rows: TabRows[SieveQuery], request: TabRequest): Seq[Node] = {
    val id = request.parameter("id").flatMap(text => Try(text.toLong).toOption)
    id.flatMap(rows.get) match {
      case Some(query) => back(query, rows, request) ++ content(query)
      case None =>
        paragraph(
          "There is no such query: it failed, it has not ended, it is too old, or Sieve had " +
            "nothing to say about it. " +
            "Spark keeps spark.sql.ui.retainedExecutions queries.") ++ paragraph(toList(request))
    }
  }

  private def toList(request: TabRequest): Node = link(request.link("/Sieve/"), "All queries")

  private def back(query: SieveQuery, rows: TabRows[SieveQuery], request: TabRequest): NodeSeq = {
    val plan = link(request.link(s"/SQL/execution/?id=${query.id}"), s"Plan of query ${query.id}")
    val dot = Text(" · ")
    paragraph(Seq[Node](toList(request), dot, plan, dot, Text(rows.description(query.id))))
  }

  private def content(query: SieveQuery): NodeSeq = {
    val ended = query.ended
    val (measured, verdicts) = ended.verdicts.partition(_.outcome == Outcome.Measured.name)
    val read = ended.scans.map(_.read).sum
    val kept = ended.scans.map(_.kept).sum
    val headline =
      if (ended.scans.isEmpty) ""
      else s"Read ${Numbers.counted(read, "row")}, kept ${Numbers.count(kept)}. "
    paragraph(headline + saved(ended.gains)) ++
      section("What Sieve did", verdicts)(
        table("Feature", "Rule", "Outcome", "Where", "Change, or reason")(verdicts.map { v =>
          Seq(Text(v.feature), Text(v.rule), outcome(v.outcome), name(v.place), detail(v))
        })) ++
      section("What was measured", measured)(
        table("Feature", "Operator", "Where", "Measured")(measured.map { v =>
          Seq(Text(v.feature), Text(v.rule), name(v.place), Text(v.detail))
        })) ++
      section("Scans with filters", ended.scans)(
        table("Table", "Filters that Spark evaluates", "Rows read", "Rows kept", "Kept")(
          ended.scans.map { s =>
            val pruned =
              if (s.isPruned) Seq("(files and row groups that hold no key can be skipped)") else Nil
            Seq(
              name(s.source),
              lines(s.predicates ++ pruned),
              right(s.read),
              right(s.kept),
              share(s.kept, s.read))
          })) ++
      OrderChart(ended.orders)
  }

  private def detail(v: QueryVerdict): NodeSeq =
    if (v.reason.isEmpty) Text(v.detail)
    else {
      val meaning = Verdicts.meaning(v.reason)
      val more = if (v.detail == meaning) "" else s" (${v.detail})"
      code(v.reason) ++ Text(s" $meaning$more")
    }
}
