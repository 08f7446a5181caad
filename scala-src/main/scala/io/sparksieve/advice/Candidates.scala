// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import io.sparksieve.advice.layout.Layout
import io.sparksieve.advice.table.LayoutWriter

/** Chooses the layouts to predict. */
private[advice] object Candidates {

  /** The columns of candidates: those by which queries could skip most. */
  final val MostColumns = 4

  /**
   * The layouts to predict, at most `most`.
   *
   * @param cardinality
   *   the number of distinct values of a column in the sample
   * @param rowsPerValue
   *   the rows of the table for each distinct value
   */
  def apply(
      useful: Useful,
      writer: LayoutWriter,
      cardinality: String => Int,
      rowsPerValue: String => Double,
      most: Int): Seq[Layout] = {
    val top = useful.ranges.take(MostColumns)
    val ordered = for (a <- top; b <- top if a != b) yield Seq(a, b)
    val unordered = top.combinations(2).toSeq
    val layouts = writer.kinds.flatMap {
      case Layout.Kind.Sort =>
        // A column with one value for each row leaves no rows for a second column to order.
        val pairs = ordered.filter(pair => rowsPerValue(pair.head) >= 2)
        (top.map(Seq(_)) ++ pairs).map(Layout(Layout.Kind.Sort, _))
      case Layout.Kind.ZOrder =>
        // Of one column, the curve is its order.
        val one = if (writer.kinds.contains(Layout.Kind.Sort)) Nil else top.map(Seq(_))
        val triples = if (top.size >= 3) Seq(top.take(3)) else Nil
        (one ++ unordered ++ triples).map(Layout(Layout.Kind.ZOrder, _))
      case Layout.Kind.Partition =>
        useful.directories
          .take(MostColumns)
          .filter(c => cardinality(c) <= MostDirectories && rowsPerValue(c) >= FewestRows)
          .map(c => Layout(Layout.Kind.Partition, Seq(c)))
    }
    val possible = layouts.filter(l => l.columns.forall(writer.accepts(_, l.kind)))
    val all = for (layout <- possible; shrink <- writer.shrinks) yield layout.copy(shrink = shrink)
    all.take(most)
  }

  /** More directories make a table slow to list. */
  private final val MostDirectories = 500

  /** Directories with fewer rows make many small files. */
  private final val FewestRows = 10000
}
