// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.{StructField, StructType}

/**
 * The columns of a table that predicates compare.
 *
 * @param fields
 *   top-level columns with a [[Coding]]
 */
private[advice] final class ComparedColumns(val fields: IndexedSeq[StructField]) {

  val codings: IndexedSeq[Coding] = fields.map(f => Coding.of(f.dataType).get)

  def size: Int = fields.size

  def names: IndexedSeq[String] = fields.map(_.name)

  def index(name: String): Option[Int] = {
    val found = fields.indexWhere(_.name == name)
    if (found < 0) None else Some(found)
  }
}

private[advice] object ComparedColumns {

  /** The columns with these names, as far as their values can be compared. */
  def of(schema: StructType, names: Seq[String]): ComparedColumns = {
    val wanted = names.toSet
    new ComparedColumns(
      schema.fields.filter(f => wanted(f.name) && Coding.of(f.dataType).nonEmpty).toIndexedSeq)
  }

  /** The columns of filters; the names of struct fields are no names of columns. */
  def named(filters: Seq[Filter]): Seq[String] =
    filters.flatMap(_.references).map(unquoted).distinct

  def unquoted(name: String): String =
    if (name.length > 2 && name.startsWith("`") && name.endsWith("`"))
      name.substring(1, name.length - 1).replace("``", "`")
    else name
}

/**
 * How a source tests a list of values (IN).
 *
 * @param most
 *   the longest list that it compares value by value
 * @param beyond
 *   what it does with a longer list
 */
private[advice] final case class ListTest(most: Int, beyond: ListTest.Beyond)

private[advice] object ListTest {

  sealed trait Beyond

  /** Compares the least and the greatest value. */
  case object Bounds extends Beyond

  /** Skips nothing. */
  case object Ignored extends Beyond
}

/** Turns Spark's source filters into conditions, as a source that takes all of them would. */
private[advice] final class Conditions(columns: ComparedColumns, lists: ListTest) {

  def apply(filter: Filter): Condition = filter match {
    case And(left, right) => Condition.All(Seq(apply(left), apply(right)))
    case Or(left, right) => Condition.Any(Seq(apply(left), apply(right)))
    case Not(child) => negated(child)
    case EqualTo(name, value) => equal(name, value)
    case EqualNullSafe(name, null) => isNull(name)
    case EqualNullSafe(name, value) => equal(name, value)
    case LessThan(name, value) => below(name, value, open = true)
    case LessThanOrEqual(name, value) => below(name, value, open = false)
    case GreaterThan(name, value) => above(name, value, open = true)
    case GreaterThanOrEqual(name, value) => above(name, value, open = false)
    case In(name, values) => in(name, values.toSeq)
    case IsNull(name) => isNull(name)
    case IsNotNull(name) => on(name)((i, _) => Condition.IsNotNull(i))
    case StringStartsWith(name, prefix) =>
      on(name)((i, _) => Condition.StartsWith(i, new TextCode(prefix.getBytes(UTF_8))))
    case AlwaysFalse() => Condition.Nothing
    case _ => Condition.Anything
  }

  /** A condition that keys were collected for. */
  def keys(keys: ColumnKeys): Condition = on(keys.column) { (i, _) =>
    new Condition.InRanges(i, keys.ranges.map(_._1).toArray, keys.ranges.map(_._2).toArray)
  }

  // Sources push NOT down to the comparisons.
  private def negated(filter: Filter): Condition = filter match {
    case And(left, right) => Condition.Any(Seq(negated(left), negated(right)))
    case Or(left, right) => Condition.All(Seq(negated(left), negated(right)))
    case Not(child) => apply(child)
    case EqualTo(name, value) if value != null => isNot(name, value)
    case EqualNullSafe(name, null) => on(name)((i, _) => Condition.IsNotNull(i))
    case EqualNullSafe(name, value) => isNot(name, value)
    case LessThan(name, value) => above(name, value, open = false)
    case LessThanOrEqual(name, value) => above(name, value, open = true)
    case GreaterThan(name, value) => below(name, value, open = false)
    case GreaterThanOrEqual(name, value) => below(name, value, open = true)
    case In(name, values) if values.length <= lists.most && !values.contains(null) =>
      Condition.All(values.toSeq.map(isNot(name, _)))
    case IsNull(name) => on(name)((i, _) => Condition.IsNotNull(i))
    case IsNotNull(name) => isNull(name)
    case _ => Condition.Anything
  }

  private def on(name: String)(make: (Int, Coding) => Condition): Condition =
    columns
      .index(ComparedColumns.unquoted(name))
      .fold[Condition](Condition.Anything)(i => make(i, columns.codings(i)))

  private def isNull(name: String) = on(name)((i, _) => Condition.IsNull(i))

  private def isNot(name: String, value: Any) =
    on(name)((i, coding) => Condition.IsNot(i, coding.ofExternal(value)))

  private def equal(name: String, value: Any): Condition =
    if (value == null) Condition.Nothing else between(name, value, value)

  private def between(name: String, from: Any, to: Any) = on(name) { (i, coding) =>
    Condition.Between(i, coding.ofExternal(from), false, coding.ofExternal(to), false)
  }

  private def below(name: String, value: Any, open: Boolean): Condition =
    if (value == null) Condition.Nothing
    else
      on(name)((i, coding) => Condition.Between(i, null, false, coding.ofExternal(value), open))

  private def above(name: String, value: Any, open: Boolean): Condition =
    if (value == null) Condition.Nothing
    else
      on(name)((i, coding) => Condition.Between(i, coding.ofExternal(value), open, null, false))

  private def in(name: String, values: Seq[Any]): Condition = on(name) { (i, coding) =>
    val codes = values.filter(_ != null).map(coding.ofExternal).distinct
    val sorted = codes.sortWith(Coding.compare(_, _) < 0)
    if (sorted.isEmpty) Condition.Nothing
    else if (values.length <= lists.most) new Condition.InRanges(i, sorted.toArray, sorted.toArray)
    else
      lists.beyond match {
        case ListTest.Bounds => Condition.Between(i, sorted.head, false, sorted.last, false)
        case ListTest.Ignored => Condition.Anything
      }
  }
}
