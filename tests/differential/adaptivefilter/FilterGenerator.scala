// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.adaptivefilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.plan.PlanAdaptiveFilter
import io.sparksieve.conf.{PolicySettings, SieveConf}
import io.sparksieve.differential.{Dice, Generator, Query, Settings}
import io.sparksieve.differential.expression.{Guards, Item, Predicates, Udfs}
import io.sparksieve.differential.setop.{Bases, Leaf, Level}
import io.sparksieve.differential.table.{Column, Kind, RandomTables, Table, Tables}
import io.sparksieve.report.core.Features

/**
 * Filters of two to eight predicates over any kind of source, half of them in ANSI mode, with
 * predicates that throw for rows that their guards drop.
 */
object FilterGenerator extends Generator {

  override val feature: String = Features.AdaptiveFilter

  override def rules: Seq[String] = Seq(PlanAdaptiveFilter.Name)

  override def tables(dice: Dice, folder: String): Tables = {
    val random = new RandomTables(dice, folder)
    val cs = Seq[Kind](Kind.Int32, Kind.Mapped, Kind.Text).zip(Seq("a", "b", "c")).map {
      case (kind, name) => Column(name, kind)
    }
    val maps = Table(
      "h0",
      cs,
      random.rows(cs),
      select => Seq(s"CREATE TABLE h0 USING parquet AS $select"),
      Seq("DROP TABLE IF EXISTS h0"),
      Seq("h0"),
      catalogued = true)
    Tables(random().all :+ maps)
  }

  override def query(dice: Dice, tables: Tables): Query = {
    val predicates = new Predicates(dice, fallible = dice.chance(70))
    val base = new Bases(dice, tables, predicates).any()
    val items = base.columns.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector
    def level() = Level(
      items,
      guarded(dice, base.columns)(
        Vector.fill(dice.between(2, 8))(wide(dice, predicates, base.columns))),
      distinct = false)
    FilterQuery(
      Leaf(base, Vector.fill(if (dice.chance(10)) 2 else 1)(level())),
      counted = dice.chance(30),
      Settings.random(dice) ++ own(dice),
      if (dice.chance(25)) residual(dice, predicates, base.columns) else Vector.empty
    )
  }

  /**
   * Inserts into the conditions a guard and, somewhere after it, a condition that throws for rows
   * that the guard drops. Each is a separate conjunct, so rules can reorder it.
   */
  private def guarded(dice: Dice, columns: Seq[Column])(conditions: Vector[String]) = {
    val pairs = columns.filterNot(_.opaque).flatMap(Guards.conditions)
    if (pairs.isEmpty || dice.chance(50)) conditions
    else {
      val (guard, fallible) = dice.oneOf(pairs)
      val at = dice.below(conditions.size + 1)
      val (before, rest) = conditions.splitAt(at)
      val (between, after) = rest.splitAt(dice.below(rest.size + 1))
      (before :+ guard) ++ (between :+ fallible) ++ after
    }
  }

  /** Conditions that need both sides of a join. */
  private def residual(dice: Dice, predicates: Predicates, columns: Seq[Column]) = {
    def both() = {
      val number = dice.below(4)
      val one = predicates.over(columns, dice.below(3))
      if (dice.chance(50)) s"($one OR rid >= $number)" else s"(rid >= $number OR $one)"
    }
    val key =
      if (dice.chance(50)) Vector(s"pmod(hash(${columns.head.name}), 3) = rid") else Vector()
    key ++ guardedByBoth(dice, columns) ++
      guarded(dice, columns)(Vector.fill(dice.between(1, 4))(both()))
  }

  /** Conditions of which the last throws for pairs of rows that an earlier condition drops. */
  private def guardedByBoth(dice: Dice, columns: Seq[Column]): Vector[String] = {
    val numbers = columns.filter(c => c.kind == Kind.Int32 || c.kind == Kind.Int64)
    if (numbers.isEmpty || !dice.chance(40)) Vector.empty
    else {
      val c = dice.oneOf(numbers).name
      dice.oneOf(
        Seq(
          Vector(
            s"try_add($c, rid + 9223372036854775800L) IS NOT NULL",
            s"$c + (rid + 9223372036854775800L) <> 5"),
          Vector(s"try_add($c, rid) <> 1", s"10 / try_subtract(try_add($c, rid), 1) <> 5"),
          Vector(s"$c IS NOT NULL", "rid < 2", s"${Udfs.Present}(CAST($c AS STRING)) + rid <> 1")
        ))
    }
  }

  /** A condition that keeps most rows; otherwise most results would be empty. */
  private def wide(dice: Dice, predicates: Predicates, columns: Seq[Column]): String = {
    def over(depth: Int) = predicates.over(columns, depth)
    // ORs of ANDs of ORs.
    def tree(depth: Int): String =
      Vector
        .fill(dice.between(2, 4)) {
          Vector
            .fill(dice.between(1, 3))(
              if (depth > 0 && dice.chance(40)) tree(depth - 1) else over(1))
            .mkString(" AND ")
        }
        .mkString("(", " OR ", ")")
    val one = over(dice.below(3))
    // Spark takes a quarter of a second to parse a tree of depth two: for each parenthesis it looks
    // at all that is inside, and remembers texts that it will not see again.
    if (dice.chance(25)) tree(dice.weighted(20 -> 0, 65 -> 1, 15 -> 2))
    else if (dice.chance(55)) s"($one OR ${over(1)} OR ${over(1)})"
    else one
  }

  /** Confs under which filters sample often, and recalculate their order after few rows. */
  private def own(dice: Dice): Map[String, String] = Map(
    SieveConf.ADAPTIVE_FILTER_POLICY.key -> dice.oneOf(PolicySettings.names),
    SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key -> dice.oneOf(Seq("1", "2", "7")),
    SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key -> dice.oneOf(Seq("1", "5", "20")),
    SieveConf.ADAPTIVE_FILTER_MOMENTUM.key -> dice.oneOf(Seq("0", "0.3", "0.9")),
    // Both generated code and interpreted evaluation keep orders.
    SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> dice.chance(50).toString,
    SQLConf.CODEGEN_FACTORY_MODE.key -> dice.oneOf(Seq("FALLBACK", "NO_CODEGEN")),
    // Spark interprets filters of more columns than this, and code with longer methods.
    SQLConf.WHOLESTAGE_MAX_NUM_FIELDS.key -> dice.weighted(80 -> "100", 20 -> "2"),
    SQLConf.WHOLESTAGE_HUGE_METHOD_LIMIT.key -> dice.weighted(90 -> "65535", 10 -> "10"),
    SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> dice.chance(70).toString,
    SQLConf.PARQUET_VECTORIZED_READER_BATCH_SIZE.key -> dice.oneOf(Seq("3", "4096")),
    SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> dice.chance(70).toString,
    SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> dice.chance(50).toString
  )
}
