// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.bulkfilter

/** A way to write membership in SQL. */
sealed trait Form

object Form {

  /** Sieve's functions. */
  case object Sieve extends Form

  /** EXISTS, which is only possible in WHERE. */
  case object Exists extends Form

  /** The file's values as one array, which is possible anywhere. */
  case object Arrays extends Form

  /**
   * The form for guarded keys: the join of an EXISTS computes keys for all rows, even for those
   * that a guard drops.
   */
  def lazily(form: Form): Form = if (form == Exists) Arrays else form
}

/** A predicate that may contain membership tests in files. */
sealed trait BulkNode {

  def sql(form: Form): String

  /** Simpler predicates, the simplest first. */
  def simpler: Seq[BulkNode]
}

/**
 * @param operator
 *   AND or OR
 */
final case class Junction(operator: String, parts: Vector[BulkNode]) extends BulkNode {

  override def sql(form: Form): String = s"(${bare(form)})"

  // Each pair of parentheses makes Spark's parser look once more at all that is inside.
  private def bare(form: Form): String =
    parts
      .map {
        case inner: Junction if operator == "OR" && inner.operator == "AND" => inner.bare(form)
        case other => other.sql(form)
      }
      .mkString(s" $operator ")

  override def simpler: Seq[BulkNode] =
    parts ++
      (if (parts.length > 2) parts.indices.map(i => copy(parts = parts.patch(i, Nil, 1)))
       else Nil) ++
      parts.indices.flatMap(i => parts(i).simpler.map(p => copy(parts = parts.updated(i, p))))
}

final case class Negation(part: BulkNode) extends BulkNode {
  override def sql(form: Form): String = s"NOT (${part.sql(form)})"
  override def simpler: Seq[BulkNode] = part +: part.simpler.map(Negation(_))
}

/** A predicate without a file. */
final case class Plain(predicate: String) extends BulkNode {
  override def sql(form: Form): String = s"($predicate)"
  override def simpler: Seq[BulkNode] = Nil
}

/**
 * A predicate whose NULL, from a NULL key, becomes TRUE or FALSE.
 *
 * @param otherwise
 *   TRUE or FALSE
 */
final case class Decided(part: BulkNode, otherwise: String) extends BulkNode {
  override def sql(form: Form): String = s"coalesce(${part.sql(form)}, $otherwise)"
  override def simpler: Seq[BulkNode] = part +: part.simpler.map(Decided(_, otherwise))
}

/**
 * Membership in a file, by one key or two.
 *
 * @param keys
 *   columns of the rows, or expressions of them
 * @param columns
 *   the file's columns, one for each key, as its table reads them
 * @param table
 *   the file's table
 * @param call
 *   Sieve's function and its arguments after the key
 */
final case class Member(keys: Vector[String], columns: Vector[String], table: String, call: Call)
    extends BulkNode {

  override def sql(form: Form): String = form match {
    case Form.Sieve =>
      val key = if (keys.length == 1) keys.head else keys.mkString("(", ", ", ")")
      s"${call.function}($key, ${call.rest})"
    case Form.Exists if keys.length == 1 =>
      s"if(${keys.head} IS NULL, NULL, ${matching(s"${columns.head} = ${keys.head}")})"
    case Form.Arrays if keys.length == 1 => isAmong(columns.head, keys.head, "TRUE")
    case Form.Exists =>
      val equal = pairs.map { case (k, c) => s"$c = $k" }.mkString(" AND ")
      val possible = pairs.map { case (k, c) => s"($k IS NULL OR $c = $k)" }.mkString(" AND ")
      ofRow(matching(equal), matching(s"$whole AND $possible"))
    case Form.Arrays =>
      // The cases in which one of the two key columns is NULL; ELSE is the case of two NULLs.
      val others = pairs.zip(pairs.reverse).map { case ((k, _), (other, c)) =>
        s"WHEN $k IS NULL AND $other IS NOT NULL THEN ${isAmong(c, other, whole)}"
      }
      val any = s"(SELECT count(*) > 0 FROM $table AS x WHERE $whole)"
      ofRow(
        s"if($unknown, FALSE, ${isAmong(row(columns), row(keys), whole)})",
        others.mkString("CASE ", " ", s" ELSE $any END"))
  }

  private def pairs = keys.zip(columns)

  private def matching(condition: String) = s"EXISTS (SELECT 1 FROM $table AS x WHERE $condition)"

  private def isAmong(value: String, key: String, rows: String) =
    s"array_contains((SELECT collect_list($value) FROM $table AS x WHERE $rows), $key)"

  private def row(fields: Vector[String]) =
    fields.zipWithIndex.map { case (f, i) => s"'c$i', $f" }.mkString("named_struct(", ", ", ")")

  private def whole = columns.map(c => s"$c IS NOT NULL").mkString(" AND ")

  private def unknown = keys.map(k => s"$k IS NULL").mkString("(", " OR ", ")")

  /** SQL's IN for rows: NULL if the fields of the key that are not NULL have a match. */
  private def ofRow(found: String, possible: String) =
    s"CASE WHEN $found THEN TRUE WHEN $unknown AND $possible THEN NULL ELSE FALSE END"

  override def simpler: Seq[BulkNode] = Nil
}

/**
 * Membership of a key that throws for the rows that a guard drops.
 *
 * @param guard
 *   one of the ways in which SQL drops rows before it evaluates the membership test
 */
final case class Guarded(column: String, member: Member, guard: Guard) extends BulkNode {
  override def sql(form: Form): String = guard.sql(column, member.sql(Form.lazily(form)))
  override def simpler: Seq[BulkNode] = Seq(member.copy(keys = Vector(column)))
}

/** A guard that keeps a predicate from rows whose column is 0. */
sealed abstract class Guard(val sql: (String, String) => String)

object Guard {
  case object Both extends Guard((c, p) => s"($c <> 0 AND $p)")
  case object Either extends Guard((c, p) => s"($c = 0 OR $p)")
  case object Case extends Guard((c, p) => s"(CASE WHEN $c <> 0 THEN $p END)")
  case object Choice extends Guard((c, p) => s"if($c = 0, NULL, $p)")
  case object First extends Guard((c, p) => s"coalesce(if($c = 0, true, NULL), $p)")

  val all: Seq[Guard] = Seq(Both, Either, Case, Choice, First)
}

/** A function of Sieve, with its arguments after the key. */
final case class Call(function: String, rest: String)
