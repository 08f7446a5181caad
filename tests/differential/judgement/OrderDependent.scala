// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.differential.{Answer, Dice, Query}

/**
 * A query below an operation that depends on the order of its rows or on their partitions. The
 * correct rows are those without Sieve, if repeated runs return the same.
 *
 * @param above
 *   an expression to add as a column; None for a sample of the rows
 */
final case class OrderDependent(query: Query, above: Option[String]) extends Query {

  override def settings: Map[String, String] = query.settings

  override def before: Seq[String] = query.before

  override def after: Seq[String] = query.after

  override def text: String =
    s"-- above it: ${above.getOrElse("a sample of half of the rows")}\n${query.text}"

  override def dataFrame(spark: SparkSession): DataFrame = {
    val rows = query.dataFrame(spark)
    above.fold(rows.sample(withReplacement = false, 0.5, OrderDependent.Seed))(
      rows.selectExpr("*", _))
  }

  override def mergesStrings: Boolean = query.mergesStrings

  override def hasOneAnswer: Boolean = false

  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    throw new UnsupportedOperationException("What depends on the order of rows has no oracle.")

  override def readsTheSame: Boolean = query.readsTheSame

  override def simpler: Seq[Query] =
    query +: query.simpler.map(q => copy(query = q))
}

object OrderDependent {

  private val Seed = 7L

  private val Above =
    Seq("monotonically_increasing_id()", "spark_partition_id()", "rand(7)", "randn(7)")

  /** The query, or rarely (3 %) the query below an order-dependent operation. */
  def seldom(dice: Dice, query: Query): Query =
    if (!query.readsTheSame || !dice.chance(3)) query
    else OrderDependent(query, if (dice.chance(20)) None else Some(dice.oneOf(Above)))
}
