// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import org.apache.spark.sql.SparkSession

import io.sparksieve.advice.layout.{InParallel, Layout, Sample, Shares, TableLayout, TableSize}
import io.sparksieve.advice.table.AdvisedTable
import io.sparksieve.advice.workload.ComparedColumns
import io.sparksieve.common.Numbers

/** Predicts the candidates for a table, and chooses the best. */
private[advice] final class Choice(
    session: SparkSession,
    table: AdvisedTable,
    columns: ComparedColumns,
    predictor: Predictor,
    limits: TableAdviser.Limits) {

  import Choice._

  private val writer = table.writer

  /**
   * @param described
   *   the advice without layouts
   * @param nothing
   *   the reason if there is no candidate
   */
  def apply(
      described: TableAdvice,
      today: TableLayout,
      useful: Useful,
      nothing: String): TableAdvice = {
    val size = today.size
    val groups = (writer.shrinks ++ writer.moreShrinks).map(writer.rowGroups).max
    val wanted = math.min(limits.rows.toLong, limits.rowsPerGroup.toLong * math.max(2, groups))
    val share = math.min(1.0, wanted.toDouble / size.rows)
    val sample = Sample.of(session, table.rows, columns, share)
    val predicted = predict(sample, size, useful, groups)
    if (predicted.isEmpty) described.copy(reason = nothing, sampleRows = sample.rows.toLong)
    else {
      val before = described.today.get
      val best = simplest(predicted)
      val isBetter = before.bytes - best.read.bytes - best.uncertainty >= LeastGain
      val ordered = best +: predicted.filterNot(_ eq best)
      described.copy(
        outcome = if (isBetter) TableAdvice.Outcome.Rewrite else TableAdvice.Outcome.Good,
        reason = reason(best, before, isBetter),
        sampleRows = sample.rows.toLong,
        layouts = ordered.map(advice(_, described, size)),
        picture = picture(best, today, sample),
        notes = described.notes ++ few(sample.rows, groups, share)
      )
    }
  }

  private def predict(
      sample: Sample,
      size: TableSize,
      useful: Useful,
      groups: Int): Seq[Prediction] = {
    def cardinality(name: String) = columns.index(name).fold(1)(sample.columns(_).cardinality)
    val candidates = Candidates(
      useful,
      writer,
      cardinality,
      name => size.rows.toDouble / math.max(1, cardinality(name)),
      limits.candidates)
    // The best by a small sample are predicted again by the whole one.
    val rough = sample.thin(sample.rows / (groups * RoughRows))
    val finalists = if (sample.rows <= LargeSample) limits.finalists else limits.finalists / 2
    val chosen =
      if (candidates.size <= finalists) candidates
      else {
        val bytes = InParallel(candidates)(predictor.roughly(_, rough))
        candidates.zip(bytes).sortBy(_._2).take(finalists).map(_._1)
      }
    val half = sample.thin(2)
    def precisely(layout: Layout) = predictor(layout, sample, half)
    val predicted = InParallel(chosen)(precisely).sortBy(_.read.bytes)
    val smaller = for {
      shrink <- writer.moreShrinks
      best <- predicted.headOption.toSeq
    } yield precisely(best.layout.copy(shrink = shrink))
    (predicted ++ smaller).sortBy(_.read.bytes)
  }

  /** Of the layouts that are about as good as the best, the one that is simplest to write. */
  private def simplest(predicted: Seq[Prediction]): Prediction = {
    val best = predicted.head.read.bytes
    predicted
      .filter(p => p.read.bytes - best <= math.max(Alike, predicted.head.uncertainty / 2))
      .minBy(p => (p.layout.shrink, p.layout.columns.size, p.layout.kind != Layout.Kind.Sort))
  }

  private def advice(p: Prediction, described: TableAdvice, size: TableSize): LayoutAdvice =
    LayoutAdvice(
      p.layout,
      p.table.size,
      p.read,
      described.today.get.bytes - p.read.bytes,
      p.uncertainty,
      size.bytes,
      writer.statement(p.layout),
      described.queries.map(_.query).zip(p.queries)
    )

  private def reason(best: Prediction, today: Shares, isBetter: Boolean): String = {
    val (now, after) = (Numbers.percent(today.bytes), Numbers.percent(best.read.bytes))
    if (isBetter)
      s"${best.layout.text}: the queries would read $after of the bytes instead of $now."
    else
      s"The layout is good: the queries read $now of the bytes, and $after with ${best.layout.text}."
  }

  private def few(rows: Int, groups: Int, share: Double): Seq[String] =
    if (share >= 1 || rows >= groups.toLong * limits.rowsPerGroup * 0.9) Nil
    else
      Seq(
        s"The sample has ${rows / groups} rows for each row group, which makes the prediction " +
          "less certain.")

  private def picture(best: Prediction, today: TableLayout, sample: Sample): Option[Picture] =
    columns.index(best.layout.columns.head).flatMap { i =>
      Pictures(columns.names(i), i, columns.codings(i), sample.columns(i), today, best.table)
    }
}

private[advice] object Choice {

  /** A rewrite that saves a smaller share of the bytes is not advised. */
  final val LeastGain = 0.03

  /** Layouts whose shares differ by less are alike. */
  private final val Alike = 0.01

  /** With more rows, few layouts are predicted by the whole sample, and many groups do not err. */
  private final val LargeSample = 1000000

  /** Rows for each row group in a rough prediction. */
  private final val RoughRows = 250
}
