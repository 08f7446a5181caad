// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import org.apache.spark.sql.types._

import io.sparksieve.differential.{Answer, Value}
import io.sparksieve.differential.Value.Row

/**
 * Computes the correct rows of a query: evaluates the branches one by one, and performs the
 * operations between them in Scala, by SQL's definitions.
 *
 * @param run
 *   evaluates a branch without the optimizer and without push-down
 * @param types
 *   the column types of a query, which is not run
 */
final class Oracle(run: String => Answer, types: String => Seq[DataType]) {

  /** @param query makes a complete query of a part's SQL */
  def apply(node: Node, query: String => String): Answer = node match {
    case leaf: Leaf => run(query(leaf.sql))
    case s: SetOp =>
      val to = types(query(s.sql))
      val (l, r) = (coerced(apply(s.left, query), to), coerced(apply(s.right, query), to))
      Answer(to, combined(s, l, r, to))
    case j: HalfJoin =>
      val computed = j.keys.filter(_.of.nonEmpty)
      val l = extended(j.left, computed.map(_.leftOf("q")), query)
      val r = extended(j.right, computed.map(_.rightOf("q")), query)
      val on = matches(j.left, j.right, j.keys, l.types, r.types)
      val less = j.residual.map { case (a, b) => (at(j.left, a), at(j.right, b)) }
      def partner(row: Row) = r.rows.exists { other =>
        on(row, other).contains(true) &&
        less.forall { case (a, b) => isLess(row(a), other(b)) }
      }
      val width = j.left.columns.length
      Answer(l.types.take(width), l.rows.filter(partner(_) != j.anti).map(_.take(width)))
    case w: Where =>
      val atoms = Oracle.atoms(w.condition)
      val columns = "l.*" +: atoms.zipWithIndex.map { case (a, i) => s"(${a.sql}) AS atom_$i" }
      val rows = run(query(s"SELECT ${columns.mkString(", ")} FROM (${w.left.sql}) AS l"))
      val width = w.left.columns.length
      val truth = formula(w.condition, w.left, rows.types, atoms, query)
      Answer(rows.types.take(width), rows.rows.filter(truth(_).contains(true)).map(_.take(width)))
    case w: Wrap =>
      val rows = apply(w.child, query)
      run(query(w.level.sql(s"${literal(rows, w.child.columns.map(_.name))} AS w")))
  }

  /** The rows of a part, with the values of some expressions appended. */
  private def extended(node: Node, more: Seq[String], query: String => String): Answer =
    if (more.isEmpty) apply(node, query)
    else run(query(s"SELECT q.*, ${more.mkString(", ")} FROM (${node.sql}) AS q"))

  private def combined(s: SetOp, l: Seq[Row], r: Seq[Row], types: Seq[DataType]): Seq[Row] = {
    def key(row: Row): Row = row.zip(types).map { case (v, t) => Value.key(v, t) }
    def normal(row: Row): Row = row.map(Value.normalised)
    def distinct(rows: Seq[Row]) =
      rows.groupBy(key).values.map(same => normal(same.head)).toVector
    lazy val right = r.groupBy(key).map { case (k, rows) => k -> rows.length }
    def times(n: (Int, Int) => Int) = l.groupBy(key).toVector.flatMap { case (k, rows) =>
      Vector.fill(n(rows.length, right.getOrElse(k, 0)))(normal(rows.head))
    }
    (s.op, s.all) match {
      case ("UNION", true) => l ++ r
      case ("UNION", false) => distinct(l ++ r)
      case ("EXCEPT", false) => distinct(l).filterNot(row => right.contains(key(row)))
      case ("INTERSECT", false) => distinct(l).filter(row => right.contains(key(row)))
      case ("EXCEPT", true) => times((a, b) => math.max(0, a - b))
      case _ => times((a, b) => math.min(a, b))
    }
  }

  /** The truth of a formula for a row of `left`, to which the values of the atoms are appended. */
  private def formula(
      f: Formula,
      left: Node,
      types: Seq[DataType],
      atoms: Seq[Atom],
      query: String => String): Row => Option[Boolean] = {
    def of(part: Formula): Row => Option[Boolean] = part match {
      case a: Atom =>
        val i = left.columns.length + atoms.indexWhere(_ eq a)
        row => Option(row(i)).map(_.asInstanceOf[Boolean])
      case e: ExistsIn =>
        val right = apply(e.visible, query)
        val on = matches(left, e.visible, e.keys, types, right.types)
        row => Some(right.rows.exists(on(row, _).contains(true)))
      case e: ExistsInBoth =>
        val sides = Seq(e.rows.left, e.rows.right).map(side => side -> apply(side, query))
        row => {
          val found = sides.map { case (side, answer) =>
            val on = matches(left, side, e.keys, types, answer.types)
            answer.rows.filter(on(row, _).contains(true))
          }
          Some(combined(e.rows, found(0), found(1), sides.head._2.types).nonEmpty)
        }
      case in: InRows =>
        val right = apply(in.right, query)
        val keys = in.names.zip(in.right.columns).map { case (n, c) => Key(n, c.name, false) }
        val on = matches(left, in.right, keys, types, right.types)
        row => {
          val found = Oracle.any(right.rows.map(on(row, _)))
          if (in.negated) found.map(!_) else found
        }
      case Negated(inner) => of(inner).andThen(_.map(!_))
      case Both(and, a, b) =>
        val (l, r) = (of(a), of(b))
        if (and) row => Oracle.all(Seq(l(row), r(row))) else row => Oracle.any(Seq(l(row), r(row)))
    }
    of(f)
  }

  /** Whether two rows agree on all keys, in SQL's three-valued logic. */
  private def matches(
      left: Node,
      right: Node,
      keys: Seq[Key],
      leftTypes: Seq[DataType],
      rightTypes: Seq[DataType]): (Row, Row) => Option[Boolean] = {
    // The computed values of keys come after the columns.
    val computed = keys.filter(_.of.nonEmpty)
    val places = keys.map { k =>
      val i = computed.indexWhere(_ eq k)
      if (i < 0) (at(left, k.left), at(right, k.right), k.nullSafe)
      else (left.columns.length + i, right.columns.length + i, k.nullSafe)
    }
    (l, r) =>
      Oracle.all(places.map { case (a, b, nullSafe) =>
        val (x, y) = (Value.key(l(a), leftTypes(a)), Value.key(r(b), rightTypes(b)))
        if (!nullSafe && (x == null || y == null)) None else Some(x == y)
      })
  }

  private def at(node: Node, name: String): Int = node.columns.indexWhere(_.name == name)

  private def isLess(a: Any, b: Any): Boolean = (a, b) match {
    case (x: Number, y: Number) => x.longValue < y.longValue
    case _ => false
  }

  private def coerced(answer: Answer, to: Seq[DataType]): Seq[Row] =
    answer.rows.map(_.zip(to).map {
      case (n: Int, LongType) => n.toLong
      case (b: Value.Bits, DoubleType) if !b.isDouble => Value.bits(b.toDouble)
      case (v, _) => v
    })

  private def literal(answer: Answer, names: Seq[String]): String = {
    val row = answer.rows.headOption.getOrElse(answer.types.map(_ => null).toVector)
    def sql(r: Row) =
      r.zip(answer.types).map { case (v, t) => Value.sql(v, t) }.mkString("(", ", ", ")")
    val rows = if (answer.rows.isEmpty) Seq(row) else answer.rows
    val aliases = names.mkString(", ")
    s"(SELECT * FROM VALUES ${rows.map(sql).mkString(", ")} AS v($aliases)" +
      s"${if (answer.rows.isEmpty) " WHERE FALSE" else ""})"
  }
}

object Oracle {

  private def atoms(f: Formula): Seq[Atom] = f match {
    case a: Atom => Seq(a)
    case Negated(inner) => atoms(inner)
    case Both(_, l, r) => atoms(l) ++ atoms(r)
    case _ => Nil
  }

  private def any(truths: Seq[Option[Boolean]]): Option[Boolean] =
    if (truths.contains(Some(true))) Some(true)
    else if (truths.contains(None)) None
    else Some(false)

  private def all(truths: Seq[Option[Boolean]]): Option[Boolean] =
    if (truths.contains(Some(false))) Some(false)
    else if (truths.contains(None)) None
    else Some(true)
}
