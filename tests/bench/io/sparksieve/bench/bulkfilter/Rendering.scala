// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bulkfilter.api.{BulkFilter, ProjectionBulkFilter}

/**
 * Renders a filter as each of the queries that are compared.
 *
 * @param counted
 *   whether the rows are counted, instead of returned with all columns
 */
final class Rendering(data: Data, filter: BulkFilter, counted: Boolean = false) {

  private val from = s"SELECT t.* FROM ${data.table.view} AS t"

  /** The query with Sieve's in_file. */
  def sieve: String =
    where(l => negated(l, s"in_file(t.${Data.keyOf(l)}, '${l.fileLocation}')"))

  /** The query with EXISTS, which Spark plans as existence joins. */
  def exists: String = where { l =>
    negated(l, s"EXISTS (SELECT 1 FROM (${data.valuesOf(l)}) AS v WHERE v.k = t.${Data.keyOf(l)})")
  }

  /** The query with a UDF `hand_<number>` for each leaf; see [[HandSets]]. */
  def byHand: String = where(l => negated(l, s"hand_${l.name.get}(t.${Data.keyOf(l)})"))

  /** The query with the formula that generated the files; it reads none of them. */
  def formula: String = where(l => negated(l, data.formula(l)))

  /**
   * The document's plan: sorted by points, with one join per leaf. Under AND, each join reads the
   * rows of the previous one. Under OR, all joins read the same rows, and their results are united
   * and made distinct. The result is only correct if all rows of the table are distinct.
   */
  def document: String =
    wrapped(joined(Right(filter.sorted), s"SELECT * FROM ${data.table.view}"))

  private def joined(node: Either[ProjectionBulkFilter, BulkFilter], rows: String): String =
    node match {
      case Left(leaf) =>
        val how = if (excludes(leaf)) "LEFT ANTI JOIN" else "JOIN"
        s"SELECT t.* FROM ($rows) AS t $how (${data.valuesOf(leaf)}) AS v " +
          s"ON v.k = t.${Data.keyOf(leaf)}"
      case Right(tree) if tree.operator == "AND" =>
        tree.instances.foldLeft(rows)((kept, next) => joined(next, kept))
      case Right(tree) =>
        val united = tree.instances.map(joined(_, rows)).mkString(" UNION ALL ")
        s"SELECT DISTINCT * FROM ($united) AS united"
    }

  private def where(leaf: ProjectionBulkFilter => String): String =
    wrapped(s"$from WHERE ${predicate(Right(filter))(leaf)}")

  private def wrapped(rows: String) =
    if (counted) s"SELECT count(*) AS n, sum(id) AS ids FROM ($rows) AS kept" else rows

  private def predicate(node: Either[ProjectionBulkFilter, BulkFilter])(
      leaf: ProjectionBulkFilter => String): String = node match {
    case Left(one) => leaf(one)
    case Right(tree) =>
      tree.instances.map(predicate(_)(leaf)).mkString("(", s" ${tree.operator} ", ")")
  }

  private def negated(leaf: ProjectionBulkFilter, predicate: String) =
    if (excludes(leaf)) s"NOT $predicate" else predicate

  private def excludes(leaf: ProjectionBulkFilter) = leaf.operation == "Exclude"
}
