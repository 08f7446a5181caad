// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import io.sparksieve.differential.expression.Item

/** A condition with subqueries, over the columns of `l`. */
sealed trait Formula {
  def sql: String

  /** The nodes that the subqueries read. */
  def nodes: Seq[Node]

  def simpler: Seq[Formula]
}

/** A condition without a subquery. */
final case class Atom(sql: String) extends Formula {
  override def nodes: Seq[Node] = Nil
  override def simpler: Seq[Formula] = Nil
}

/**
 * EXISTS.
 *
 * @param flat
 *   whether the branch's own filter and the correlation are in one WHERE; then the keys name
 *   columns below the branch's last level
 */
final case class ExistsIn(right: Node, keys: Seq[Key], flat: Boolean) extends Formula {

  override def sql: String = {
    val on = keys.map(_.sql)
    right match {
      case leaf: Leaf if flat =>
        val below = leaf.levels.last
        val conditions = (below.conditions ++ on).mkString(" AND ")
        s"EXISTS (SELECT 1 FROM ${leaf.below("r")} WHERE $conditions)"
      case _ => s"EXISTS (SELECT * FROM (${right.sql}) AS r WHERE ${on.mkString(" AND ")})"
    }
  }

  /** The node that the subquery reads, with the columns that the keys name. */
  def visible: Node = right match {
    case leaf: Leaf if flat =>
      val items = leaf.columnsBelow.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector
      val last = leaf.levels.last.copy(items = items, distinct = false)
      leaf.copy(levels = leaf.levels.init :+ last)
    case other => other
  }

  override def nodes: Seq[Node] = Seq(right)

  override def simpler: Seq[Formula] =
    keys.indices.filter(_ => keys.length > 1).map(i => copy(keys = keys.patch(i, Nil, 1))) ++
      right.simpler
        .filter(_.columns.map(_.name) == right.columns.map(_.name))
        .map(r => copy(right = r))
}

/** EXISTS of a set operation, both sides of which are correlated. */
final case class ExistsInBoth(rows: SetOp, keys: Seq[Key]) extends Formula {

  override def sql: String = {
    val on = keys.map(_.sql).mkString(" AND ")
    def side(node: Node) = s"SELECT * FROM (${node.sql}) AS r WHERE $on"
    s"EXISTS (${side(rows.left)} ${rows.operator} ${side(rows.right)})"
  }

  override def nodes: Seq[Node] = Seq(rows)

  override def simpler: Seq[Formula] =
    Seq(rows.left, rows.right).map(ExistsIn(_, keys, flat = false)) ++
      keys.indices.filter(_ => keys.length > 1).map(i => copy(keys = keys.patch(i, Nil, 1))) ++
      rows.simpler.collect { case s: SetOp => copy(rows = s) }
}

/** `(names) [NOT] IN (right)`, the columns of `right` in that order. */
final case class InRows(names: Seq[String], right: Node, negated: Boolean) extends Formula {

  override def sql: String = {
    val values = names.map("l." + _)
    val row = if (values.length == 1) values.head else values.mkString("(", ", ", ")")
    s"$row ${if (negated) "NOT " else ""}IN (${right.sql})"
  }

  override def nodes: Seq[Node] = Seq(right)

  override def simpler: Seq[Formula] = right.simpler.map(r => copy(right = r))
}

final case class Negated(of: Formula) extends Formula {
  override def sql: String = s"NOT (${of.sql})"
  override def nodes: Seq[Node] = of.nodes
  override def simpler: Seq[Formula] = of +: of.simpler.map(Negated(_))
}

final case class Both(and: Boolean, left: Formula, right: Formula) extends Formula {
  override def sql: String = s"(${left.sql} ${if (and) "AND" else "OR"} ${right.sql})"
  override def nodes: Seq[Node] = left.nodes ++ right.nodes
  override def simpler: Seq[Formula] =
    Seq(left, right) ++ left.simpler.map(l => copy(left = l)) ++
      right.simpler.map(r => copy(right = r))
}
