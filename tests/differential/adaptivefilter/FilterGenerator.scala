package io.sparksieve.differential.adaptivefilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf
import io.sparksieve.adaptivefilter.{OrderPolicy, PlanAdaptiveFilter}
import io.sparksieve.differential._
import io.sparksieve.differential.setop.{Bases, Leaf, Level}

/**
 * Filters of two to eight predicates over anything that yields rows, half of them under ANSI mode,
 * with predicates that fail for the rows that their guards keep away.
 */
object FilterGenerator extends Generator {

  override val room: String = PlanAdaptiveFilter.Room

  override def rules: Seq[String] = Seq(PlanAdaptiveFilter.Name)

  override def query(dice: Dice, tables: Tables): Query = {
    val predicates = new Predicates(dice, fallible = dice.chance(70))
    val base = new Bases(dice, tables, predicates).any()
    val items = base.columns.map(c => Item(c.name, c.name, c.kind, c.merged)).toVector
    def level() = Level(
      items,
      Vector.fill(dice.between(2, 8))(wide(dice, predicates, base.columns)),
      distinct = false)
    FilterQuery(
      Leaf(base, Vector.fill(if (dice.chance(10)) 2 else 1)(level())),
      counted = dice.chance(30),
      Settings.random(dice) ++ own(dice),
      if (dice.chance(25)) residual(dice, predicates, base.columns) else Vector.empty
    )
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
    key ++ Vector.fill(dice.between(1, 4))(both())
  }

  /** A condition that keeps most rows, or most answers would be empty. */
  private def wide(dice: Dice, predicates: Predicates, columns: Seq[Column]): String = {
    def over(depth: Int) = predicates.over(columns, depth)
    // ORs of ANDs of ORs.
    def tree(depth: Int): String =
      Vector
        .fill(dice.between(2, 4)) {
          Vector
            .fill(dice.between(1, 3))(
              if (depth > 0 && dice.chance(40)) tree(depth - 1) else over(1))
            .mkString("(", " AND ", ")")
        }
        .mkString("(", " OR ", ")")
    val one = over(dice.below(3))
    if (dice.chance(25)) tree(2)
    else if (dice.chance(55)) s"($one OR ${over(1)} OR ${over(1)})"
    else one
  }

  /** Orders are learned from few rows, and looked at often. */
  private def own(dice: Dice): Map[String, String] = Map(
    SieveConf.ADAPTIVE_FILTER_POLICY.key -> dice.oneOf(OrderPolicy.names),
    SieveConf.ADAPTIVE_FILTER_COLLECT_RATE.key -> dice.oneOf(Seq("1", "2", "7")),
    SieveConf.ADAPTIVE_FILTER_CALCULATE_RATE.key -> dice.oneOf(Seq("1", "5", "20")),
    SieveConf.ADAPTIVE_FILTER_MOMENTUM.key -> dice.oneOf(Seq("0", "0.3", "0.9")),
    SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> dice.chance(70).toString,
    SQLConf.PARQUET_VECTORIZED_READER_BATCH_SIZE.key -> dice.oneOf(Seq("3", "4096")),
    SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> dice.chance(70).toString,
    SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> dice.chance(50).toString
  )
}
