// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.bulkfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.Predicates
import io.sparksieve.differential.table.{Column, Kind, Table}
import io.sparksieve.differential.table.Kind._

/**
 * Random predicates over the columns of one table and some files.
 *
 * @param columns
 *   columns of the table, whose alias is `t`
 * @param fewKeys
 *   whether leaves only test two columns that key sets store as longs, without other predicates
 */
final class RandomBulkNodes(dice: Dice, columns: Seq[Column], files: Seq[Table], fewKeys: Boolean) {

  private val Depth = 6

  private val predicates = new Predicates(dice, fallible = false)

  private val own = columns.map(c => c.copy(name = s"t.${c.name}"))

  /** A predicate with `leaves` leaves: membership tests, or plain predicates if no column fits. */
  def apply(leaves: Int): BulkNode = tree(leaves, Depth)

  private def tree(leaves: Int, depth: Int): BulkNode = {
    val node =
      if (leaves <= 1) member()
      else if (depth <= 1) Junction(operator(), Vector.fill(leaves)(member()))
      else {
        val first = dice.between(1, leaves - 1)
        // Half of the time, a level has three parts.
        val sizes =
          if (leaves - first > 1 && dice.chance(50)) {
            val second = dice.between(1, leaves - first - 1)
            Vector(first, second, leaves - first - second)
          } else Vector(first, leaves - first)
        Junction(operator(), sizes.map(tree(_, depth - 1)) ++ plain())
      }
    dice.weighted(80 -> node, 14 -> Negation(node), 6 -> Decided(node, truth()))
  }

  private def operator() = dice.oneOf(Seq("AND", "OR"))

  private def truth() = dice.oneOf(Seq("TRUE", "FALSE"))

  private def plain(): Vector[BulkNode] =
    if (!fewKeys && dice.chance(20)) Vector(Plain(predicates.over(own, dice.below(2))))
    else Vector.empty

  private def member(): BulkNode = {
    val single = for {
      file <- files
      column <- file.columns
      key <- own if fits(file, column, key)
    } yield (file, Vector(key -> column))
    val several = for {
      file <- files if file.columns.length == 2
      // The oracle compares whole rows, so their columns must have the same types.
      first <- own
      if fits(file, file.columns.head, first)
      if RandomBulkNodes.sameType(file.columns.head.kind, first.kind)
      second <- own
      if fits(file, file.columns.last, second)
      if RandomBulkNodes.sameType(file.columns.last.kind, second.kind)
    } yield (file, Vector(first -> file.columns.head, second -> file.columns.last))
    // Often the same columns, as in the queries of users: only leaves over one key are merged.
    val few =
      if (fewKeys) own.filterNot(c => RandomBulkNodes.bytes(c.kind)).take(2) else own.take(2)
    val usual = single.filter(_._2.forall(p => few.contains(p._1)))
    val pool =
      if (fewKeys) usual
      else if (several.nonEmpty && dice.chance(15)) several
      else if (usual.nonEmpty && dice.chance(50)) usual
      else single
    if (pool.isEmpty) Plain(predicates.over(own, 1))
    else {
      val (file, pairs) = dice.oneOf(pool)
      val found = guarded(of(file, pairs), pairs)
      dice.weighted(75 -> found, 15 -> Negation(found), 10 -> Decided(found, truth()))
    }
  }

  /** The member, or sometimes the member with a key that throws for rows that a guard drops. */
  private def guarded(member: Member, pairs: Vector[(Column, Column)]): BulkNode = pairs match {
    case Vector((key, _)) if key.kind == Int32 && !fewKeys && dice.chance(25) =>
      val fails = Vector(s"CAST(7 div ${key.name} AS INT)")
      Guarded(key.name, member.copy(keys = fails), dice.oneOf(Guard.all))
    case _ => member
  }

  private def of(file: Table, pairs: Vector[(Column, Column)]): Member = {
    val keys = pairs.map { case (key, _) => computed(key) }
    val names = pairs.map(_._2.name)
    // Values that do not fit into the type of the key equal no key.
    val narrowed = pairs.exists { case (key, column) =>
      !RandomBulkNodes.widens(column.kind, key.kind)
    }
    val parsed = pairs.map { case (key, column) => RandomBulkNodes.parses(column.kind, key.kind) }
    val columns = pairs.zip(parsed).map { case ((key, column), isParsed) =>
      if (isParsed) s"try_cast(x.${column.name} AS ${key.kind.ddl})" else s"x.${column.name}"
    }
    Member(keys, columns, file.name, call(file, names, narrowed, parsed.contains(true)))
  }

  // Values read as text have no type: "1.00" is not a whole number, "2020-01-31 12:00" is a day.
  private def fits(file: Table, column: Column, key: Column) =
    if (Set("csv", "json", "text")(RandomBulkNodes.formatOf(file)))
      RandomBulkNodes.widens(column.kind, key.kind) ||
      RandomBulkNodes.parses(column.kind, key.kind)
    else RandomBulkNodes.fits(column.kind, key.kind)

  private def call(
      file: Table,
      names: Vector[String],
      narrowed: Boolean,
      isParsed: Boolean): Call = {
    val path = file.from.last
    val format = RandomBulkNodes.formatOf(file)
    val skip = if (narrowed) Seq("invalid" -> "skip") else Nil
    // The columns of a table have types, and Sieve does not compare text with numbers.
    if (file.name == RandomBulkNodes.Redefined || !isParsed && dice.chance(20)) {
      val named = names.length == 1 && dice.chance(60)
      val place = if (named) s"${file.name}.${names.head}" else file.name
      val column = if (named) Nil else Seq("column" -> names.mkString(","))
      Call("in_table", s"'$place'${options(column ++ skip)}")
    } else {
      val header = if (format == "csv") Seq("header" -> "true") else Nil
      val named = Seq("format" -> format).filter(_ => dice.chance(30))
      val column =
        if (file.columns.map(_.name) == names && dice.chance(40)) Nil
        else Seq("column" -> names.mkString(","))
      Call("in_file", s"'$path'${options(named ++ header ++ column ++ skip)}")
    }
  }

  private def options(all: Seq[(String, String)]) =
    if (all.isEmpty) ""
    else all.flatMap { case (k, v) => Seq(s"'$k'", s"'$v'") }.mkString(", map(", ", ", ")")

  /** A column, or rarely an expression of the column that has the same type and does not throw. */
  private def computed(key: Column): String = {
    val n = key.name
    val all = key.kind match {
      case Int32 => Seq(s"coalesce($n, 1)", s"nullif($n, 2)", s"CAST(pmod($n, 5) AS INT)")
      case Text => Seq(s"trim($n)", s"coalesce($n, '1')", s"nullif($n, '2')")
      case Float64 => Seq(s"abs($n)", s"-$n", s"nanvl($n, 0D)")
      case Day => Seq(s"date_add($n, 1)")
      case _ => Nil
    }
    if (all.nonEmpty && dice.chance(12)) dice.oneOf(all) else n
  }
}

private[bulkfilter] object RandomBulkNodes {

  /** The name of the view that each query defines differently. */
  val Redefined = "redefined"

  private val whole = Seq[Kind](Int16, Int32, Int64)

  private val numbers = Set[Kind](Int16, Int32, Int64, Dec, Wide, Float32, Float64)

  private val bytes = Set[Kind](Text, Bytes, Wide)

  private val days = Set[Kind](Day, Moment, Ntz)

  /** Whether values of a file can be compared with keys of the kind. */
  def fits(file: Kind, key: Kind): Boolean =
    file == key || numbers(file) && numbers(key) && isExact(file, key) ||
      days(file) && days(key) && Set(file, key) == Set[Kind](Day, Moment)

  // Spark compares decimals with doubles as doubles, under which all these values stay distinct.
  private def isExact(file: Kind, key: Kind) = file != Wide && key != Wide || Set(file, key)(Dec)

  /** Whether strings of a file are parsed as keys. */
  def parses(file: Kind, key: Kind): Boolean =
    file == Text && Set[Kind](Int32, Int64, Dec, Day, Float64)(key)

  /** Whether values and keys have the same type, after strings of the file are parsed. */
  def sameType(file: Kind, key: Kind): Boolean = file == key || parses(file, key)

  /** Whether the type of the key can hold every value of a file. */
  def widens(file: Kind, key: Kind): Boolean =
    file == key || (file, key) == ((Dec, Wide)) || (file, key) == ((Day, Moment)) ||
      whole.contains(file) && whole.contains(key) && whole.indexOf(file) < whole.indexOf(key)

  def formatOf(file: Table): String =
    file.create("").mkString.replaceFirst("(?s)^.* USING (\\w+) .*$", "$1")
}
