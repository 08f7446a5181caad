// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import io.sparksieve.differential.Dice
import io.sparksieve.differential.expression.{Item, Predicates, Projections}
import io.sparksieve.differential.table.{Column, Kind, Tables}

/**
 * Random queries of the set-operation feature. Most branches of a query are filtered copies of one
 * source under one projection, because those are what the feature rewrites; the others are near
 * misses.
 */
final class RandomNodes(dice: Dice, tables: Tables, predicates: Predicates) {

  private val projections = new Projections(dice)
  private val bases = new Bases(dice, tables, predicates)

  private val variants = new Variants(dice, predicates)

  def query(): Node = {
    val node = dice.weighted(60 -> "tree", 20 -> "join", 20 -> "where") match {
      case "tree" =>
        val family = template(bases.any())
        tree(family, dice.weighted(60 -> 2, 27 -> 3, 13 -> 4))
      case "join" => halfJoin(template(bases.any(), plainOnly = dice.chance(60)))
      case _ => where(template(bases.any(), plainOnly = dice.chance(60)))
    }
    if (dice.chance(15)) wrapped(node) else node
  }

  /**
   * The template that the branches of a query share: source, projections, and sometimes filters.
   */
  private def template(base: Base, plainOnly: Boolean = false): Leaf = {
    val n = dice.weighted(75 -> 1, 20 -> 2, 5 -> 3)
    val levels = (1 to n).foldLeft(Vector.empty[Level]) { (levels, _) =>
      val columns = levels.lastOption.map(_.columns).getOrElse(base.columns)
      val items =
        if (plainOnly) columns.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector
        else variants.items(columns, projections.over(columns), levels.length)
      val shared =
        if (dice.chance(15)) Vector(predicates.over(columns, 1)) else Vector.empty[String]
      levels :+ Level(
        items,
        shared ++ variants.conditions(columns, levels.length),
        distinct = false)
    }
    Leaf(base, levels)
  }

  /**
   * A copy of `family` with its own filters.
   *
   * @param few
   *   whether the branch is on the right of an EXCEPT, where many rows would leave none
   */
  private def branch(family: Leaf, few: Boolean): Leaf = {
    val i = dice.below(family.levels.length)
    val count =
      if (few) dice.weighted(8 -> 0, 52 -> 1, 40 -> 2) else dice.weighted(40 -> 0, 55 -> 1, 5 -> 2)
    val own = Vector.fill(count)(condition(family, i, 60))
    nearMiss(added(variants(family), i, own))
  }

  private def added(family: Leaf, i: Int, own: Vector[String]): Leaf = {
    val level = family.levels(i)
    family.copy(levels = family.levels.updated(i, level.copy(conditions = level.conditions ++ own)))
  }

  private def below(family: Leaf, i: Int) =
    if (i == 0) family.base.columns else family.levels(i - 1).columns

  private def condition(family: Leaf, i: Int, onOutput: Int): String = {
    val columns = below(family, i)
    val shown = columns.filter(c => family.levels(i).items.exists(_.expression == c.name))
    val over = if (shown.nonEmpty && dice.chance(onOutput)) shown else columns
    val one = predicates.over(over)
    // A condition that keeps few rows would leave many results empty.
    if (dice.chance(40)) s"($one OR ${predicates.over(over, 1)})" else one
  }

  private def nearMiss(leaf: Leaf): Leaf = {
    val last = leaf.levels.last
    def withLast(level: Level) = leaf.copy(levels = leaf.levels.init :+ level)
    dice.below(100) match {
      case n if n < 40 && leaf.base.twins.nonEmpty =>
        leaf.copy(base = leaf.base.copy(from = dice.oneOf(leaf.base.twins)))
      case n if n < 10 => withLast(last.copy(distinct = true))
      case n if n < 18 =>
        val i = dice.below(last.items.length)
        val renamed = last.items(i).copy(as = s"y$i")
        withLast(last.copy(items = last.items.updated(i, renamed)))
      case n if n < 22 =>
        withLast(last.copy(items = projections.ofKinds(leaf.columnsBelow, last.items)))
      case n if n < 26 =>
        val other = bases.table(dice.oneOf(tables.all))
        val items = projections.ofKinds(other.columns, last.items)
        val own = if (dice.chance(60)) Vector(predicates.over(other.columns, 1)) else Vector.empty
        Leaf(other, Vector(Level(items, own, distinct = false)))
      case _ => leaf
    }
  }

  /** A tree of set operations with `n` branches. */
  private def tree(family: Leaf, n: Int, few: Boolean = false): Node =
    if (n == 1) {
      if (dice.chance(6)) halfJoin(family)
      else if (dice.chance(5)) where(family)
      else branch(family, few)
    } else {
      val op = dice.oneOf(Seq("EXCEPT", "EXCEPT", "INTERSECT", "UNION"))
      val all = dice.chance(50)
      if (n == 2 && op == "UNION" && all && dice.chance(60)) disjointUnion(family)
      else {
        val left = dice.between(1, n - 1)
        SetOp(op, all, tree(family, left, few), tree(family, n - left, few || op == "EXCEPT"))
      }
    }

  private def disjointUnion(family: Leaf): Node = {
    val i = dice.below(family.levels.length)
    val (l, r) = predicates.disjoint(below(family, i))
    SetOp(
      "UNION",
      all = true,
      added(variants(family), i, Vector(l)),
      added(variants(family), i, Vector(r)))
  }

  private def keys(columns: Seq[Column]): Seq[Key] = {
    // Half of the time, a column whose equal values can be distinguished comes first.
    val merging = columns.filter(_.kind.merges)
    val first = if (merging.nonEmpty && dice.chance(50)) dice.some(merging, 1) else Nil
    val any = dice.some(columns, dice.weighted(60 -> 1, 30 -> 2, 10 -> 3))
    (first ++ any).distinct.take(any.length).map { c =>
      val others = columns.filter(o => o.kind == c.kind && o.name != c.name)
      val right = if (others.nonEmpty && dice.chance(6)) dice.oneOf(others).name else c.name
      Key(c.name, right, nullSafe = dice.chance(25))
    }
  }

  /** The right side of a membership test: filters mostly over the keys. */
  private def member(family: Leaf, keys: Seq[String]): Leaf = {
    val top = family.levels.length - 1
    val shown = family.levels.last.items.filter(i => keys.contains(i.as)).map(_.expression)
    val columns = below(family, top).filter(c => shown.contains(c.name))
    def own = if (columns.nonEmpty && dice.chance(75)) predicates.over(columns)
    else condition(family, top, 0)
    added(variants(family), top, Vector.fill(dice.weighted(70 -> 1, 30 -> 2))(own))
  }

  private def renamedAs(leaf: Leaf, names: Seq[String]): Boolean =
    names.forall(n => leaf.columns.exists(_.name == n))

  private def halfJoin(family: Leaf): HalfJoin = {
    val ks = keys(family.columns)
    val made = nearMiss(member(family, ks.map(_.right)))
    val right = if (renamedAs(made, ks.map(_.right))) made else member(family, ks.map(_.right))
    val integers = family.columns.filter(c => c.kind == Kind.Int32 || c.kind == Kind.Int64)
    val both = integers.filter(c => right.columns.exists(_.name == c.name))
    val residual =
      if (both.nonEmpty && dice.chance(8)) Some((dice.oneOf(both).name, dice.oneOf(both).name))
      else None
    val left = filtered(family, 50)
    HalfJoin(dice.chance(50), left, right, ks.map(variants.key(family, _)), residual)
  }

  private def filtered(family: Leaf, percentNot: Int): Leaf =
    if (dice.chance(percentNot)) variants(family)
    else added(variants(family), 0, Vector(condition(family, 0, 50)))

  private def where(family: Leaf): Where = {
    val left = filtered(family, 60)
    Where(left, formula(family, depth = 2))
  }

  private def formula(family: Leaf, depth: Int): Formula = {
    def atom = Atom(predicates.over(family.columns, 1))
    dice.weighted(
      (if (depth == 2) 55 else 35) -> "subquery",
      (if (depth == 0) 0 else 20) -> "and",
      (if (depth == 0) 0 else 15) -> "or",
      (if (depth == 2) 0 else 15) -> "atom") match {
      case "subquery" => subquery(family)
      case "atom" => atom
      case op =>
        val (l, r) = (formula(family, depth - 1), formula(family, depth - 1))
        val both = Both(op == "and", if (dice.chance(50)) atom else l, r)
        if (dice.chance(12)) Negated(both) else both
    }
  }

  private def subquery(family: Leaf): Formula =
    if (dice.chance(50)) {
      val ks = keys(family.columns)
      def right = member(family, ks.map(_.right))
      val exists =
        if (dice.chance(15)) {
          val op = dice.oneOf(Seq("EXCEPT", "INTERSECT", "UNION"))
          ExistsInBoth(SetOp(op, dice.chance(50), right, right), ks)
        } else {
          val one = right
          flattened(family, one, ks).getOrElse(ExistsIn(one, ks, flat = false))
        }
      if (dice.chance(50)) Negated(exists) else exists
    } else {
      val names = dice.some(family.columns, dice.weighted(75 -> 1, 25 -> 2)).map(_.name)
      val last = family.levels.last
      val items = names.flatMap(n => last.items.find(_.as == n)).toVector
      val narrow = family.copy(levels = family.levels.init :+ last.copy(items = items))
      val negated = dice.chance(50)
      // A NULL on the right of NOT IN leaves no row at all.
      val present =
        if (negated && dice.chance(75)) items.map(i => s"${i.expression} IS NOT NULL")
        else Vector.empty
      def one = added(member(narrow, names), family.levels.length - 1, present)
      val right: Node =
        if (dice.chance(12)) SetOp("EXCEPT", dice.chance(50), one, one) else one
      val in = InRows(names, right, negated)
      if (present.isEmpty || dice.chance(40)) in
      else Both(and = true, Atom(names.map(n => s"$n IS NOT NULL").mkString(" AND ")), in)
    }

  /** EXISTS with filter and correlation in one WHERE, if the keys are plain columns. */
  private def flattened(family: Leaf, right: Leaf, ks: Seq[Key]): Option[ExistsIn] = {
    val below = ks.map { k =>
      family.levels.last.items
        .find(_.as == k.right)
        .map(_.expression)
        .filter(e => right.columnsBelow.exists(_.name == e))
    }
    if (below.forall(_.nonEmpty) && dice.chance(50)) {
      Some(
        ExistsIn(
          right,
          ks.zip(below.flatten).map { case (k, b) => k.copy(right = b) },
          flat = true))
    } else None
  }

  private def wrapped(node: Node): Node = {
    val items = projections.over(node.columns)
    val conditions =
      if (dice.chance(50)) Vector(predicates.over(node.columns, 1)) else Vector.empty[String]
    Wrap(node, Level(items, conditions, distinct = dice.chance(15)), asCte = dice.chance(40))
  }
}
