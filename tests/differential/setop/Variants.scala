// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.{AbsentValue, Functions, Item, Predicates}
import io.sparksieve.differential.table.{Column, Kind, Twins}

/**
 * Varies the branches of one query, so that they differ where they look the same, or look the same
 * where their rows differ: by expressions that Catalyst's canonical form does not distinguish, by
 * expressions that throw for the rows of other branches, and by keys that distinguish equal values.
 */
final class Variants(dice: Dice, predicates: Predicates) {

  private val functions = new Functions(dice)

  /** Expressions of the query's template, each with an expression that only looks the same. */
  private var twins = Map.empty[String, String]

  /**
   * The level at which the template has an expression that throws for some rows, and its guards.
   */
  private var guards = Option.empty[(Int, Seq[String])]

  /**
   * The level at which some branches fix a column to a value that no row has, and others throw for
   * it.
   */
  private var absent = Option.empty[(Int, AbsentValue)]

  /**
   * The items; sometimes one of them is replaced by an expression that looks like another, or that
   * throws for some rows.
   */
  def items(columns: Seq[Column], items: Vector[Item], level: Int): Vector[Item] = {
    def instead(expression: String, kind: Kind) = {
      val i = dice.below(items.length)
      items.updated(i, Item(expression, items(i).as, kind, merged = false))
    }
    if (dice.chance(28)) new Twins(dice, columns).items.fold(items) { case ((a, b), kind) =>
      twins += a -> b
      instead(a, kind)
    }
    else if (dice.chance(20) && guards.isEmpty) predicates.guardedItem(columns).fold(items) { g =>
      guards = Some(level -> g.guards)
      instead(g.expression, g.kind)
    }
    else items
  }

  /**
   * Sometimes a condition for the template that looks like another, or has a part in common with
   * it.
   */
  def conditions(columns: Seq[Column], level: Int): Vector[String] =
    if (absent.isEmpty && dice.chance(4)) {
      absent = predicates.absent(columns).map(level -> _)
      Vector.empty
    } else if (!dice.chance(20)) Vector.empty
    else {
      val pair =
        if (dice.chance(50)) new Twins(dice, columns).conditions
        else predicates.guardedTwice(columns)
      pair.fold(Vector.empty[String]) { case (a, b) =>
        twins += a -> b
        Vector(a)
      }
    }

  /** The template, varied for one branch. */
  def apply(family: Leaf): Leaf = {
    def other(text: String) =
      if (dice.chance(50)) twins.getOrElse(text, text) else text
    val levels = family.levels.zipWithIndex.map { case (level, i) =>
      val guard = guards.collect { case (at, all) if at == i => dice.oneOf(all) }
      val early = absent.collect { case (at, value) if at == i => dice.oneOf(oneSided(value)) }
      level.copy(
        items = level.items.map(item => item.copy(expression = other(item.expression))),
        conditions = level.conditions.map(other(_)) ++ guard ++ early)
    }
    family.copy(levels = levels)
  }

  private def oneSided(value: AbsentValue) =
    if (dice.chance(50)) value.fixing else value.failing

  /** The key, or sometimes an expression of its columns, which may distinguish equal values. */
  def key(family: Leaf, key: Key): Key = {
    val c = family.columns.find(_.name == key.left).get
    if (c.opaque || !dice.chance(if (c.kind.merges) 60 else 15)) key
    else {
      val own = c.kind match {
        case Kind.Float32 | Kind.Float64 =>
          Seq("CAST(@ AS STRING)", "@ * -1", "atan2(@, -1.0D)", "@ + 0.0D", "@ * @")
        case Kind.Collated(_) => Seq("hex(@)", "length(@)", "ascii(@)", "@ COLLATE UTF8_BINARY")
        case Kind.Struct => Seq("@.d", "CAST(@.d AS STRING)", "CAST(@ AS STRING)")
        case _ => Nil
      }
      val of =
        if (own.nonEmpty && dice.chance(70)) Some(dice.oneOf(own))
        else
          functions
            .call(Seq(c.copy(name = "@")))
            .filter(call => call.failing == Functions.Never)
            .map(_.sql)
      key.copy(of = of)
    }
  }
}
