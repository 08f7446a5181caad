// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

/**
 * One random table.
 *
 * @param rows
 *   rows of literals, as SQL
 * @param create
 *   statements that create the table from a SELECT of its rows
 * @param from
 *   how queries name the table; often in several ways, such as by name and by path
 * @param catalogued
 *   whether a persistent view may read it
 */
final case class Table(
    name: String,
    columns: Seq[Column],
    rows: Vector[Vector[String]],
    create: String => Seq[String],
    drop: Seq[String],
    from: Seq[String],
    catalogued: Boolean) {

  def statements: Seq[String] = create(select)

  /** The table with fewer rows, for a smaller reproduction. */
  def smaller: Seq[Table] = {
    val n = rows.length
    if (n <= 1) Nil
    else if (n <= 6) rows.indices.map(i => copy(rows = rows.patch(i, Nil, 1)))
    else Seq(copy(rows = rows.take(n / 2)), copy(rows = rows.drop(n / 2)))
  }

  /** The table's rows as a query. */
  private def select: String = {
    val names = columns.map(_.name).mkString(", ")
    val casts = columns.map(c => s"CAST(${c.name} AS ${c.kind.ddl}) AS ${c.name}").mkString(", ")
    val (values, where) =
      if (rows.nonEmpty) (rows, "") else (Vector(columns.map(_ => "NULL").toVector), " WHERE FALSE")
    val lines = values.map(_.mkString("(", ", ", ")")).mkString(",\n  ")
    s"SELECT $casts FROM VALUES\n  $lines\nAS v($names)$where"
  }
}

/** The tables that a batch of queries reads. */
final case class Tables(all: Seq[Table]) {

  def setup: Seq[String] = all.flatMap(_.statements)

  def cleanup: Seq[String] = all.reverse.flatMap(_.drop)

  /** The tables that the statements mention. */
  def readBy(statements: Seq[String]): Seq[Table] =
    all.filter(_.from.exists(name => statements.exists(_.contains(name))))

  /** These tables, with `table` in place of the table of the same name. */
  def updated(table: Table): Tables =
    Tables(all.map(t => if (t.name == table.name) table else t))
}
