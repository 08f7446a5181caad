// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import io.sparksieve.advice.layout.{RankedColumn, TableLayout}
import io.sparksieve.advice.workload.{Coding, ColumnRange}

/** Computes the figures of a picture: the ranges of a column in files. */
private[advice] object Pictures {

  /** None if no file's range is known. */
  def apply(
      name: String,
      index: Int,
      coding: Coding,
      sampled: RankedColumn,
      today: TableLayout,
      after: TableLayout): Option[Picture] = {
    def known(layout: TableLayout) =
      layout.files.map(_.ranges(index)).filter(r => r.hasValues && r.isKnown)
    val (now, later) = (known(today), known(after))
    val all = now ++ later
    if (all.isEmpty) None
    else {
      val low = all.map(_.low).reduce((a, b) => if (Coding.compare(a, b) <= 0) a else b)
      val high = all.map(_.high).reduce((a, b) => if (Coding.compare(a, b) >= 0) a else b)
      val axis = new Axis(coding, sampled, low, high)
      Some(
        Picture(
          name,
          coding.text(low),
          coding.text(high),
          bars(now, coding, axis),
          bars(later, coding, axis)))
    }
  }

  /** At most this many files are drawn, evenly spaced among all. */
  private final val MostBars = 400

  private def bars(ranges: IndexedSeq[ColumnRange], coding: Coding, axis: Axis) = {
    val count = math.min(ranges.size, MostBars)
    (0 until count).map { i =>
      val range = ranges((i.toLong * ranges.size / count).toInt)
      Picture.Bar(
        axis(range.low),
        axis(range.high),
        coding.text(range.low),
        coding.text(range.high))
    }
  }

  /** Numbers have their own distances; texts have those of their ranks in the sample. */
  private final class Axis(coding: Coding, sampled: RankedColumn, low: AnyRef, high: AnyRef) {

    private val ends = for (l <- coding.position(low); h <- coding.position(high)) yield (l, h)

    def apply(code: AnyRef): Double = ends match {
      case Some((l, h)) if h > l && !h.isNaN && !h.isInfinity && !l.isInfinity =>
        val at = (coding.position(code).get - l) / (h - l)
        math.min(1.0, math.max(0.0, at))
      case Some(_) => if (Coding.compare(code, low) == 0) 0.0 else 1.0
      case None => sampled.share(code)
    }
  }
}
