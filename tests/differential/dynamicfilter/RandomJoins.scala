// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import io.sparksieve.differential.Dice
import io.sparksieve.differential.table.{Column, Kind, Tables}

/**
 * Random join queries: a fact and its dimensions (stars), chains, self-joins, outer joins, semi-
 * and anti-joins, and subqueries in WHERE; mostly filtered by columns that are not keys.
 */
final class RandomJoins(dice: Dice, tables: Tables, conditions: Conditions, pairs: KeyPairs) {
  import RandomJoins._

  private val inputs = new RandomInputs(dice, tables, conditions, pairs)
  private val forms = new RandomForms(dice, conditions)

  /** The SELECTs of a query, and the frame around them. */
  def query(): (Vector[Body], Frame) = {
    val body = one()
    dice.weighted(70 -> "one", 12 -> "union", 13 -> "with", 5 -> "cached") match {
      case "one" => (Vector(body), Frame.Bare)
      case "union" => (Vector(body, forms.varied(body)), Frame.Bare)
      case "cached" => (Vector(body), Frame.Cached)
      case _ => (Vector(body), forms.reading(body))
    }
  }

  private def one(): Body = {
    val joined = dice.weighted(14 -> 0, 52 -> 1, 23 -> 2, 11 -> 3)
    val tested =
      if (joined == 0) dice.weighted(80 -> 1, 20 -> 2) else dice.weighted(85 -> 0, 15 -> 1)
    val first = inputs("s0", fact = true, Nil, Seq(Place.Inside, Place.Where))
    val start = Body(first, Vector.empty, Vector.empty, Vector.empty, Form.Plain, Vector.empty)
    val withJoins = (1 to joined).foldLeft(start)((b, i) => attempt(b)(_ => join(b, s"s$i")))
    val withMembers =
      (1 to tested).foldLeft(withJoins)((b, i) => attempt(b)(_ => member(b, s"m$i")))
    forms.finished(withMembers, hints(withMembers))
  }

  /** The result of the first attempt that finds columns to join by; the body if none does. */
  private def attempt(body: Body)(make: Int => Option[Body]): Body =
    Iterator.range(0, 12).map(make).collectFirst { case Some(b) => b }.getOrElse(body)

  /** The columns that a further join may equate with those of its own input. */
  private def partners(body: Body): Seq[Column] = {
    val shown = body.first +: body.joins.filter(_.shows).map(_.input)
    // Stars as often as chains.
    val all = (if (dice.chance(50)) body.first else shown.last).qualified
    // Joins by one key share an exchange.
    val last = body.joins.lastOption.toSeq.flatMap(_.keys)
    val again = all.filter(c => last.exists(_.left.contains(c.name)))
    if (again.nonEmpty && dice.chance(25)) again else all
  }

  private def join(body: Body, alias: String): Option[Body] = {
    val kind = dice.weighted(
      62 -> "JOIN",
      11 -> "LEFT JOIN",
      8 -> "RIGHT JOIN",
      4 -> "FULL JOIN",
      10 -> "LEFT SEMI JOIN",
      5 -> "LEFT ANTI JOIN")
    val places: Seq[Place] =
      if (Join.hides(kind)) Seq(Place.Inside, Place.On)
      else Seq(Place.Inside, Place.Where, Place.On)
    val input = inputs(alias, fact = dice.chance(20), body.inputs, places)
    val left = partners(body)
    val keys = pairs.random(left, input.qualified)
    if (keys.isEmpty) None
    else Some(body.copy(joins = body.joins :+ Join(kind, input, keys, residual(left, input))))
  }

  private def residual(left: Seq[Column], input: Input): Seq[String] = {
    val (l, r) = (integers(left), integers(input.qualified))
    if (l.isEmpty || r.isEmpty || !dice.chance(12)) Nil
    else {
      val (a, b) = (dice.oneOf(l).name, dice.oneOf(r).name)
      Seq(dice.oneOf(Seq(s"$a < $b", s"$a <> $b", s"$a <= $b + 5", s"($a > $b OR $a IS NULL)")))
    }
  }

  private def integers(columns: Seq[Column]): Seq[Column] =
    columns.filter(c => c.kind == Kind.Int32 || c.kind == Kind.Int64)

  private def member(body: Body, alias: String): Option[Body] =
    if (dice.chance(75)) membership(body, alias)
    else scalar(body, alias).orElse(membership(body, alias))

  /** A comparison with an aggregate of the rows with the same keys. */
  private def scalar(body: Body, alias: String): Option[Body] = {
    val input = inputs(alias, fact = dice.chance(50), Nil, Seq(Place.Inside, Place.Where))
    val left = partners(body)
    // Spark allows no computed columns in these equalities.
    val keys = pairs.random(left, input.qualified).map(_.outward(alias)).filter(_.isOfColumns)
    val (values, own) = (integers(left), integers(input.qualified))
    if (keys.isEmpty || values.isEmpty || own.isEmpty) None
    else {
      val function = dice.oneOf(Seq("max", "min", "sum", "count", "2 * avg"))
      val compared = s"${dice.oneOf(values).name} ${dice.oneOf(Seq("<", "<=", ">=", "<>"))}"
      val test = Scalar(compared, s"$function(${dice.oneOf(own).name})")
      val member = Member(in = false, negated = false, input, keys, Nil, hint(alias), Some(test))
      Some(body.copy(members = body.members :+ member))
    }
  }

  private def membership(body: Body, alias: String): Option[Body] = {
    val in = dice.chance(50)
    val negated = dice.chance(30)
    val input = inputs(alias, fact = dice.chance(15), body.inputs, Seq(Place.Inside, Place.Where))
    val left = partners(body)
    val keys = pairs.random(left, input.qualified).map { k =>
      // IN has no <=>, and its left side belongs to the outer query.
      if (in) k.outward(alias).copy(nullSafe = false) else k
    }
    if (keys.isEmpty) None
    else {
      val more = if (in) Nil else residual(left, input)
      val member = Member(in, negated, input, keys, more, hint(alias))
      Some(body.copy(members = body.members :+ member))
    }
  }

  private def hint(alias: String): String =
    if (dice.chance(10)) s"/*+ ${dice.oneOf(JoinHints)}($alias) */ " else ""

  private def hints(body: Body): Vector[String] = {
    val joined = (body.first +: body.joins.map(_.input)).map(_.alias)
    if (body.joins.isEmpty || !dice.chance(35)) Vector.empty
    else Vector(s"${dice.oneOf(JoinHints)}(${dice.oneOf(joined)})")
  }
}

object RandomJoins {
  private val JoinHints =
    Seq("BROADCAST", "BROADCAST", "MERGE", "MERGE", "SHUFFLE_HASH", "SHUFFLE_HASH")
}
