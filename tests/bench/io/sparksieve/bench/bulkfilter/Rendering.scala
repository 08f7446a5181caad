package io.sparksieve.bench.bulkfilter

import io.sparksieve.bulkfilter.{BulkFilter, ProjectionBulkFilter}

/**
 * A filter as the queries that are compared.
 *
 * @param counted
 *   whether its rows are counted, and not handed on with all columns
 */
final class Rendering(data: Data, filter: BulkFilter, counted: Boolean = false) {

  private val from = s"SELECT t.* FROM ${data.table.view} AS t"

  /** With Sieve's function. */
  def sieve: String =
    where(l => negated(l, s"in_file(t.${Data.keyOf(l)}, '${l.fileLocation}')"))

  /** What Spark makes existence joins of. */
  def exists: String = where { l =>
    negated(l, s"EXISTS (SELECT 1 FROM (${data.valuesOf(l)}) AS v WHERE v.k = t.${Data.keyOf(l)})")
  }

  /** With a function of one's own for each leaf, `hand_<number>`. */
  def byHand: String = where(l => negated(l, s"hand_${l.name.get}(t.${Data.keyOf(l)})"))

  /** The same rows without any file. */
  def formula: String = where(l => negated(l, data.formula(l)))

  /**
   * The document's plan: sorted by points; a join for each leaf, whose rows go on to the next below
   * AND; below OR all begin with the same rows, and their results are united and made distinct.
   * Its answer is right for rows that differ.
   */
  def document: String =
    asked(joined(Right(filter.sorted), s"SELECT * FROM ${data.table.view}"))

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
    asked(s"$from WHERE ${predicate(Right(filter))(leaf)}")

  private def asked(rows: String) =
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
