// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.bench.{Case, CaseGroup}

/** Filters of other kinds: with cheap, expensive, drifting, correlated, and many predicates. */
object Mixes extends CaseGroup {

  override def position: Int = 3

  private val Cheap = Seq("n0 < 50", "n1 < 40", "n2 < 30", "n3 < 60")

  private val Regex =
    Seq("line RLIKE 'user=[0-9]*7 '", "line LIKE '%404%'", "n0 < 40", "n1 < 20")

  private val Or = Seq(s"${Regex(0)} OR n0 < 70 OR n1 < 60")

  override def cases(rows: Long): Seq[Case] = {
    val data = new Data(rows)
    import Setup.{filter, static}
    val correlated =
      Seq("a LIKE 'k1%'", "b LIKE 'k1%'", "c LIKE 'k1%'", "d LIKE '%5'")
    val drift = Seq("a < 80", "b < 80", "s LIKE '%x%7-end'", "t LIKE '%x%7-end'")
    // In each half, one of the two drops most rows; both cost the same.
    val costly = Seq("s", "t").map(c => s"$c RLIKE '^[a-z]+-(x[0-9]*|y[0-9]*7)-end$$'")
    val fixed = SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false"
    Seq(
      filter(
        "cheap/worst",
        "four cheap predicates, least selective first",
        data.wide,
        Cheap.reverse,
        Some(0.98)),
      filter(
        "cheap/best",
        "four cheap predicates, most selective first",
        data.wide,
        Seq("n2 < 30", "n1 < 40", "n0 < 50", "n3 < 60"),
        Some(0.98)),
      filter(
        "cheap/rows",
        "four cheap predicates over rows",
        data.wide,
        Cheap,
        Some(0.98),
        Map(fixed)),
      filter("regex/worst", "a regular expression first", data.wide, Regex, Some(4)),
      filter("regex/best", "a regular expression last", data.wide, Regex.reverse, Some(0.95)),
      filter(
        "regex/rows-worst",
        "a regular expression first, over rows",
        data.wide,
        Regex,
        Some(2),
        Map(fixed)),
      filter(
        "regex/rows-best",
        "a regular expression last, over rows",
        data.wide,
        Regex.reverse,
        Some(0.95),
        Map(fixed)),
      filter("or/worst", "an OR, a regular expression first", data.wide, Or),
      filter(
        "or/nested",
        "ANDs below an OR, the costly part of each first",
        data.wide,
        Seq(s"(${Regex(0)} AND n0 < 20) OR (${Regex(1)} AND n1 < 10)")),
      filter(
        "or/rows",
        "an OR, a regular expression first, over rows",
        data.wide,
        Or,
        conf = Map(fixed)),
      filter(
        "drift/costly",
        "which of two regular expressions is selective changes half way",
        data.drifting,
        costly,
        Some(1.3),
        others = Seq(static("the other order", data.drifting, costly.reverse))
      ),
      filter(
        "drift/mixed",
        "which of two cheap predicates and of two costly ones is selective changes half way",
        data.drifting,
        drift,
        others = Seq(
          static("best at first", data.drifting, Seq(drift(1), drift(0), drift(3), drift(2))),
          static("best at last", data.drifting, Seq(drift(0), drift(1), drift(2), drift(3)))
        )
      ),
      filter(
        "correlated",
        "three predicates drop the same rows",
        data.correlated,
        correlated,
        others = correlated.indices.permutations
          .filter(_.take(2).sum <= 5)
          .toSeq
          .map { o =>
            static(s"order ${o.map(_ + 1).mkString}", data.correlated, o.map(correlated))
          }
          .distinct
      )
    ) ++ cached(data) ++ Seq(8, 16).map { n =>
      filter(
        s"many/$n",
        s"$n cheap predicates, least selective first",
        data.wide,
        (0 until n).map(i => s"n$i < ${95 - 5 * i}"))
    }
  }

  /** Filters over a cached table, which has a columnar format of its own. */
  private def cached(data: Data) = {
    val normal = data.normal.copy(view = "normal_cached", cached = true)
    val worst =
      Seq("number > 46200", "day > date_add(DATE'2015-01-01', 859)", "name > 'user-054780'")
    Seq(
      Setup.filter("cached/worst", "a cached table, most selective last", normal, worst),
      Setup
        .filter("cached/best", "a cached table, most selective first", normal, worst.reverse)
    )
  }
}
