// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import io.sparksieve.advice.layout.{Layout, Sample, Shares, TableLayout}
import io.sparksieve.advice.table.LayoutWriter
import io.sparksieve.advice.workload.ComparedColumns

/**
 * What the queries would read of a layout.
 *
 * @param queries
 *   for each reading, in order
 * @param uncertainty
 *   by how much the share of bytes may differ
 */
private[advice] final case class Prediction(
    layout: Layout,
    table: TableLayout,
    queries: Seq[Shares],
    read: Shares,
    uncertainty: Double)

/**
 * Predicts layouts from a sample. The range of a column in a sample of a file is narrower than in
 * the file, so that a prediction is too good, by about the reciprocal of the number of rows. The
 * same prediction from half of the sample is off by twice as much; the difference is therefore
 * added, and is part of the uncertainty.
 */
private[advice] final class Predictor(
    columns: ComparedColumns,
    writer: LayoutWriter,
    readings: Seq[Reading],
    directories: Set[Int]) {

  /** A quick prediction, to compare layouts. */
  def roughly(layout: Layout, sample: Sample): Double =
    mean(read(layout, writer.predict(layout, sample, columns))).bytes

  /** @param half a part of the sample, with half of its rows */
  def apply(layout: Layout, sample: Sample, half: Sample): Prediction = {
    val table = writer.predict(layout, sample, columns)
    val whole = read(layout, table)
    val fewer = read(layout, writer.predict(layout, half, columns))
    val corrected = whole.zip(fewer).map { case (w, h) =>
      Shares(beyond(w.files, h.files), beyond(w.rowGroups, h.rowGroups), beyond(w.bytes, h.bytes))
    }
    val difference = math.abs(mean(whole).bytes - mean(fewer).bytes)
    // Where files are few, chance decides whether one more is read.
    val oneFile = 0.5 / math.max(1, table.size.rowGroups)
    Prediction(layout, table, corrected, mean(corrected), Predictor.Least + oneFile + difference)
  }

  // Never less: that is chance, such as a predicate that ends where a file does.
  private def beyond(whole: Double, half: Double) = math.min(1.0, math.max(whole, 2 * whole - half))

  private def read(layout: Layout, table: TableLayout): Seq[Shares] = {
    val inside =
      if (layout.kind == Layout.Kind.Partition) directories ++ layout.columns.flatMap(columns.index)
      else directories
    readings.map(r => table.read(r.condition(inside)))
  }

  private def mean(shares: Seq[Shares]) = Shares.mean(readings.map(_.weight).zip(shares))
}

private[advice] object Predictor {

  /** The mean error of predictions from large samples, measured. */
  final val Least = 0.01
}
