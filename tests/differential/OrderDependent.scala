// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * A query below an operation that depends on the order of its rows or on their partitions. The
 * correct rows are those without Sieve, if repeated runs return the same. Over a cache the values of
 * the operation are hidden: rows have the order of the plan that filled the cache, as SOUNDNESS.md
 * says. There the cache must be found, and the other columns must be the same.
 *
 * @param above
 *   an expression to add as a column; None for a sample of the rows
 * @param cached
 *   whether each run caches the query before it reads it
 */
final case class OrderDependent(query: Query, above: Option[String], cached: Boolean)
    extends Query {

  override def settings: Map[String, String] = query.settings

  override def before: Seq[String] = query.before

  override def after: Seq[String] = (if (cached) CachedQuery.Forget else Nil) ++ query.after

  override def text: String = {
    val of = if (cached) ", of what was cached" else ""
    s"-- above it: ${above.getOrElse("a sample of half of the rows")}$of\n${query.text}"
  }

  override def dataFrame(spark: SparkSession): DataFrame = {
    val rows =
      if (cached) CachedQuery.keep(spark, query.dataFrame(spark))
      else query.dataFrame(spark)
    above.fold(rows.sample(withReplacement = false, 0.5, OrderDependent.Seed)) { value =>
      rows.selectExpr("*", if (cached) s"$value > -1000" else value)
    }
  }

  override def mergesStrings: Boolean = query.mergesStrings

  override def hasOneAnswer: Boolean = false

  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    throw new UnsupportedOperationException("What depends on the order of rows has no oracle.")

  override def readsTheSame: Boolean = query.readsTheSame && !cached

  override def caches: Boolean = cached

  override def simpler: Seq[Query] =
    (query +: (if (cached) Seq(copy(cached = false)) else Nil)) ++
      query.simpler.map(q => copy(query = q))
}

object OrderDependent {

  private val Seed = 7L

  private val Above =
    Seq("monotonically_increasing_id()", "spark_partition_id()", "rand(7)", "randn(7)")

  /** The query, or rarely (4 %) the query below an order-dependent operation. */
  def seldom(dice: Dice, query: Query): Query =
    if (!query.readsTheSame || !dice.chance(4)) query
    else {
      val above = if (dice.chance(20)) None else Some(dice.oneOf(Above))
      OrderDependent(query, above, cached = dice.chance(30) && above.nonEmpty)
    }
}
