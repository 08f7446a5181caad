// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import io.sparksieve.differential.expression.Item
import io.sparksieve.differential.table.{Column, Kind}

/** A part of a random query that returns rows. */
sealed trait Node {

  /** A complete SELECT, or a set operation of SELECTs. */
  def sql: String

  def columns: Seq[Column]

  /** Simpler parts with as many columns. */
  def simpler: Seq[Node]

  /** Whether some operation keeps one of many strings that a collation holds equal. */
  def mergesStrings: Boolean = children.exists(_.mergesStrings) ||
    (merges && columns.exists(_.kind.isInstanceOf[Kind.Collated]))

  /** Every base that the part reads. */
  def bases: Seq[Base] = children.flatMap(_.bases)

  protected def children: Seq[Node]

  protected def merges: Boolean = false
}

/**
 * The source of a SELECT: a table, a file path, a view, a WITH name or a derived table.
 *
 * @param from
 *   the text after FROM
 * @param ctes
 *   name and text of the WITH definitions that it needs
 * @param views
 *   name and statement of the views that it needs
 * @param twins
 *   other sources with the same columns
 */
final case class Base(
    from: String,
    columns: Seq[Column],
    ctes: Seq[(String, String)] = Nil,
    views: Seq[(String, String)] = Nil,
    twins: Seq[String] = Nil) {

  /** How often the name of a table appears in the base. */
  def mentions(table: String): Int =
    (from +: (ctes ++ views).map(_._2)).map(table.r.findAllIn(_).length).sum
}

/** One SELECT over its input. */
final case class Level(items: Vector[Item], conditions: Vector[String], distinct: Boolean) {
  def columns: Seq[Column] =
    items.map(i => Column(i.as, i.kind, i.merged || (distinct && i.kind.merges)))

  /** The SELECT with `from` after FROM, and `more` conditions. */
  def sql(from: String, more: Seq[String] = Nil): String = {
    val all = conditions ++ more
    val where = if (all.isEmpty) "" else all.mkString(" WHERE ", " AND ", "")
    s"SELECT ${if (distinct) "DISTINCT " else ""}${items.map(_.sql).mkString(", ")} FROM $from$where"
  }
}

/** A branch: filters and projections over one base, the levels from the inside out. */
final case class Leaf(base: Base, levels: Vector[Level]) extends Node {

  override def columns: Seq[Column] = levels.last.columns

  override def sql: String = sqlOf(levels.length)

  /** The columns that the last level reads. */
  def columnsBelow: Seq[Column] =
    if (levels.length == 1) base.columns else levels(levels.length - 2).columns

  /** The input of the last level, with the alias `as`. */
  def below(as: String): String =
    if (levels.length == 1) s"${base.from} AS $as" else s"(${sqlOf(levels.length - 1)}) AS $as"

  private def sqlOf(n: Int): String =
    if (n == 1) levels.head.sql(base.from)
    else levels(n - 1).sql(s"(${sqlOf(n - 1)}) AS q${n - 1}")

  override def bases: Seq[Base] = Seq(base)

  override protected def children: Seq[Node] = Nil

  override def mergesStrings: Boolean =
    (base.columns ++ levels.flatMap(_.columns))
      .exists(c => c.merged && c.kind.isInstanceOf[Kind.Collated])

  override def simpler: Seq[Node] = for {
    (level, i) <- levels.zipWithIndex
    less <- level.conditions.indices.map(c =>
      level.copy(conditions = level.conditions.patch(c, Nil, 1))) ++
      (if (level.distinct) Seq(level.copy(distinct = false)) else Nil)
  } yield copy(levels = levels.updated(i, less))
}

/** EXCEPT, INTERSECT or UNION. */
final case class SetOp(op: String, all: Boolean, left: Node, right: Node) extends Node {

  override def sql: String = s"(${left.sql}) $operator (${right.sql})"

  /** The operation's name. */
  def operator: String = op + (if (all) " ALL" else "")

  override def columns: Seq[Column] = left.columns.zip(right.columns).map { case (l, r) =>
    l.copy(merged = l.kind.merges && (merges || l.merged || r.merged))
  }

  override protected def merges: Boolean = !(all && op == "UNION")

  override protected def children: Seq[Node] = Seq(left, right)

  override def simpler: Seq[Node] =
    Seq(left, right) ++ left.simpler.map(l => copy(left = l)) ++
      right.simpler.map(r => copy(right = r))
}

/**
 * One equality of a join condition or of a correlated subquery, by column names.
 *
 * @param of
 *   the compared expression of each column, as SQL with `@` for the column; None for the column
 */
final case class Key(left: String, right: String, nullSafe: Boolean, of: Option[String] = None) {

  def sql: String = s"${leftOf("l")} ${if (nullSafe) "<=>" else "="} ${rightOf("r")}"

  def leftOf(alias: String): String = compared(s"$alias.$left")

  def rightOf(alias: String): String = compared(s"$alias.$right")

  private def compared(column: String) = of.fold(column)(_.replace("@", column))
}

/**
 * LEFT SEMI or LEFT ANTI JOIN.
 *
 * @param residual
 *   names of two integer columns of which the left must be less than the right
 */
final case class HalfJoin(
    anti: Boolean,
    left: Node,
    right: Node,
    keys: Seq[Key],
    residual: Option[(String, String)])
    extends Node {

  override def columns: Seq[Column] = left.columns

  override def sql: String = {
    val more = residual.map { case (l, r) => s"l.$l < r.$r" }
    val on = (keys.map(_.sql) ++ more).mkString(" AND ")
    val kind = if (anti) "ANTI" else "SEMI"
    s"SELECT l.* FROM (${left.sql}) AS l LEFT $kind JOIN (${right.sql}) AS r ON $on"
  }

  override protected def children: Seq[Node] = Seq(left, right)

  override def simpler: Seq[Node] =
    left +: (keys.indices
      .filter(_ => keys.length > 1)
      .map(i => copy(keys = keys.patch(i, Nil, 1))) ++
      left.simpler.map(l => copy(left = l)) ++ right.simpler.map(r => copy(right = r)) ++
      residual.map(_ => copy(residual = None)))
}

/** A filter with [NOT] EXISTS and [NOT] IN. */
final case class Where(left: Leaf, condition: Formula) extends Node {

  override def columns: Seq[Column] = left.columns

  override def sql: String = s"SELECT l.* FROM (${left.sql}) AS l WHERE ${condition.sql}"

  override protected def children: Seq[Node] = left +: condition.nodes

  override def simpler: Seq[Node] =
    left +: (condition.simpler.map(c => copy(condition = c)) ++
      left.simpler.collect { case l: Leaf => copy(left = l) })
}

/** A SELECT over the result of another part, as a WITH definition if it is the whole query. */
final case class Wrap(child: Node, level: Level, asCte: Boolean) extends Node {

  override def columns: Seq[Column] = level.columns

  override def sql: String = level.sql(s"(${child.sql}) AS w")

  override protected def children: Seq[Node] = Seq(child)

  override protected def merges: Boolean = level.distinct

  override def simpler: Seq[Node] =
    level.conditions.indices.map(i =>
      copy(level = level.copy(conditions = level.conditions.patch(i, Nil, 1)))) ++
      child.simpler
        .filter(_.columns.map(_.name) == child.columns.map(_.name))
        .map(c => copy(child = c))
}
