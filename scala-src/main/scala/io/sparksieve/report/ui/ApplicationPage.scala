// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.xml.{Node, NodeSeq, Text}

import org.apache.spark.sql.sieve.{TabRequest, TabRows}

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Gains, Outcome}

/** The tab's first page: the application as a whole, and one row for each query. */
private[ui] object ApplicationPage {
  import Html._

  def apply(rows: TabRows[SieveQuery], request: TabRequest): Seq[Node] = {
    val queries = rows.all
    if (queries.isEmpty)
      paragraph("No query with filters or verdicts has ended yet. Rows appear here when one ends.")
    else
      headline(queries) ++ unskipped(queries) ++ reasons(queries) ++ list(queries, rows, request)
  }

  private def headline(queries: Seq[SieveQuery]): NodeSeq = {
    val changed = queries.count(isChanged)
    val gains = queries.map(_.ended.gains).foldLeft(Gains.none)(_ + _)
    paragraph(
      s"Sieve acted on ${Numbers.count(changed.toLong)} of the " +
        s"${Numbers.counted(queries.size.toLong, "query", "queries")} below. " +
        saved(gains))
  }

  private def isChanged(query: SieveQuery): Boolean =
    query.ended.verdicts.exists(_.outcome == Outcome.Applied.name)

  /** The scans that read most rows in vain. */
  private def unskipped(queries: Seq[SieveQuery]): NodeSeq = {
    val bySource = queries.flatMap(q => q.ended.scans.map(_ -> q)).groupBy(_._1.source).toSeq
    val rows = bySource
      .map { case (source, scans) =>
        (
          source,
          scans.map(_._2.id).distinct.size,
          scans.map(_._1.read).sum,
          scans.map(_._1.kept).sum)
      }
      .filter { case (_, _, read, kept) => read > 0 && kept < read / 2 }
      .sortBy { case (_, _, read, kept) => kept - read }
      .take(MostRows)
    section("Tables whose filters keep few of the rows that are read", rows)(
      paragraph(
        "These scans read rows that their filters drop. Where a table is of Parquet or ORC files, " +
          "files sorted by the filtered columns let Spark skip such rows.") ++
        table("Table", "Queries", "Rows read", "Rows kept", "Kept")(rows.map {
          case (source, n, read, kept) =>
            Seq(name(source), right(n.toLong), right(read), right(kept), share(kept, read))
        })
    )
  }

  /** The reasons why rules declined, the most frequent first. */
  private def reasons(queries: Seq[SieveQuery]): NodeSeq = {
    val declined = queries.flatMap(_.ended.verdicts.filter(_.reason.nonEmpty))
    val rows = declined.groupBy(v => (v.feature, v.reason)).toSeq.sortBy { case (key, all) =>
      (-all.size, key)
    }
    section("Why rules declined", rows)(
      table("Feature", "Reason", "Times", "Meaning")(
        rows.take(MostRows).map { case ((feature, reason), all) =>
          Seq(Text(feature), code(reason), right(all.size.toLong), Text(Verdicts.meaning(reason)))
        })
    )
  }

  private def list(
      queries: Seq[SieveQuery],
      rows: TabRows[SieveQuery],
      request: TabRequest): NodeSeq =
    section("Queries", queries)(
      table(
        "Query",
        "Description",
        "Action",
        "Duration",
        "Applied",
        "Declined",
        "Rows read",
        "Rows kept",
        "Files skipped")(queries.reverse.take(MostQueries).map { query =>
        val ended = query.ended
        def times(counts: QueryVerdict => Boolean) = right(ended.verdicts.count(counts).toLong)
        Seq(
          link(request.link(s"/Sieve/query/?id=${query.id}"), query.id.toString),
          name(rows.description(query.id)),
          Text(ended.action),
          duration(ended.durationMillis),
          times(_.outcome == Outcome.Applied.name),
          times(_.reason.nonEmpty),
          ofScans(ended)(_.read),
          ofScans(ended)(_.kept),
          if (ended.gains.files == 0) Text("")
          else
            Text(
              s"${Numbers.count(ended.gains.filesSkipped)} of ${Numbers.count(ended.gains.files)}")
        )
      }))

  /** The sum over the scans with filters; empty if there is none. */
  private def ofScans(ended: SieveQueryEnded)(rows: QueryScan => Long): NodeSeq =
    if (ended.scans.isEmpty) NodeSeq.Empty else right(ended.scans.map(rows).sum)

  private final val MostRows = 20

  private final val MostQueries = 200
}
