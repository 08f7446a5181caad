// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import scala.collection.mutable

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, expr}

/**
 * Builds a query through the DataFrame API, if `handles` says that the API can express it.
 *
 * @param read
 *   reads all columns of a base as a DataFrame
 * @param shared
 *   whether branches over one base start from one DataFrame
 * @param written
 *   the text by which a condition is written
 */
final class DataFrames(read: Base => DataFrame, shared: Boolean, written: String => String) {

  private val known = mutable.Map.empty[Base, DataFrame]

  def apply(node: Node): DataFrame = node match {
    case leaf: Leaf => leaf.levels.foldLeft(base(leaf.base))(select)
    case w: Wrap => select(apply(w.child), w.level)
    case s: SetOp =>
      val (l, r) = (apply(s.left), apply(s.right))
      (s.op, s.all) match {
        case ("EXCEPT", false) => l.except(r)
        case ("EXCEPT", true) => l.exceptAll(r)
        case ("INTERSECT", false) => l.intersect(r)
        case ("INTERSECT", true) => l.intersectAll(r)
        case ("UNION", true) => l.union(r)
        case _ => l.union(r).dropDuplicates()
      }
    case j: HalfJoin =>
      val (l, r) = (apply(j.left).as("l"), apply(j.right).as("r"))
      val kind = if (j.anti) "left_anti" else "left_semi"
      if (DataFrames.usesNames(j)) l.join(r, j.keys.map(_.left), kind)
      else {
        val equalities = j.keys.map { k =>
          val (a, b) = (expr(k.leftOf("l")), expr(k.rightOf("r")))
          if (k.nullSafe) a <=> b else a === b
        }
        val less = j.residual.map { case (a, b) => col(s"l.$a") < col(s"r.$b") }
        l.join(r, (equalities ++ less).reduce(_ && _), kind)
      }
    case w: Where => throw new IllegalArgumentException(s"no DataFrame for ${w.sql}")
  }

  private def base(b: Base): DataFrame =
    if (shared) known.getOrElseUpdate(b, read(b)) else read(b)

  private def select(from: DataFrame, level: Level): DataFrame = {
    val filtered = level.conditions.foldLeft(from)((df, c) => df.where(expr(written(c))))
    val selected = filtered.selectExpr(level.items.map(_.sql): _*)
    if (level.distinct) selected.distinct() else selected
  }
}

object DataFrames {

  /** Whether the API can express `node` as the SQL does. */
  def handles(node: Node): Boolean = node match {
    case _: Leaf => true
    case _: Where => false
    case w: Wrap => handles(w.child)
    case s: SetOp => handles(s.left) && handles(s.right)
    case j: HalfJoin => handles(j.left) && handles(j.right)
  }

  /** Whether a join can be expressed by column names alone, without a condition on columns. */
  private def usesNames(j: HalfJoin): Boolean =
    j.residual.isEmpty && j.keys.forall(k => !k.nullSafe && k.of.isEmpty && k.left == k.right) &&
      j.keys.map(_.left).distinct.length == j.keys.length &&
      // A join by names puts the keys first, which must also be the order of l.*.
      j.left.columns.take(j.keys.length).map(_.name) == j.keys.map(_.left)
}
