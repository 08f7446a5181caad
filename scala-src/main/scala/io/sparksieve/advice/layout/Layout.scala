// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

/**
 * A way to arrange the rows of a table in files.
 *
 * @param columns
 *   the columns by which rows are arranged, the most significant first
 * @param shrink
 *   how many times smaller the row groups are than the statement would make them by itself, or the
 *   files where a statement cannot choose the size of row groups
 */
private[sparksieve] final case class Layout(
    kind: Layout.Kind,
    columns: Seq[String],
    shrink: Int = 1) {

  /** In words, such as `sort by a, b` or `sort by a, in parts 4 times smaller`. */
  def text: String = {
    val smaller = if (shrink == 1) "" else s", in parts $shrink times smaller"
    s"${kind.text} ${columns.mkString(", ")}$smaller"
  }
}

private[sparksieve] object Layout {

  sealed abstract class Kind(val name: String, val text: String)

  object Kind {

    /** Files hold disjoint ranges of the columns, and rows are sorted in each. */
    case object Sort extends Kind("sort", "sort by")

    /** Files hold neighbours on a curve through all columns alike. */
    case object ZOrder extends Kind("zorder", "z-order by")

    /** A directory for each value. */
    case object Partition extends Kind("partition", "partition by")
  }
}

/** @param language `sql`, or `python` for a program with the DataFrame API */
private[sparksieve] final case class Statement(language: String, text: String)
