// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.{col, count}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{ArrayType, MapType, StructType}

import io.sparksieve.differential.{Answer, Dice, Query}

/**
 * A query in an operation that depends on the order of rows or on their partitions. The correct rows
 * are those without Sieve, if repeated runs return the same.
 */
final case class OrderDependent(query: Query, use: OrderDependent.Use) extends Query {

  override def settings: Map[String, String] = query.settings ++ use.settings

  override def before: Seq[String] = query.before

  override def after: Seq[String] = query.after

  override def text: String = s"-- $use\n${query.text}"

  override def dataFrame(spark: SparkSession): DataFrame = use(query.dataFrame(spark))

  override def mergesStrings: Boolean = query.mergesStrings

  override def hasOneAnswer: Boolean = false

  override def oracle(spark: SparkSession, run: String => Answer): Answer = OrderDependent.noOracle

  override def readsTheSame: Boolean = query.readsTheSame

  override def simpler: Seq[Query] =
    query +: query.simpler.map(q => copy(query = q))
}

object OrderDependent {

  /** What is done with the rows of a query. */
  sealed trait Use {
    def settings: Map[String, String] = Map.empty

    def apply(rows: DataFrame): DataFrame
  }

  /** A sample of half of the rows. */
  case object Sample extends Use {
    override def apply(rows: DataFrame): DataFrame =
      rows.sample(withReplacement = false, 0.5, Seed)
  }

  /** A column is added to them. */
  final case class Above(expression: String) extends Use {
    override def apply(rows: DataFrame): DataFrame = rows.selectExpr("*", expression)
  }

  /**
   * They are joined with other rows, by all columns, to which the expression was added above a
   * shuffle: the stage of the join reads that shuffle together with those of the query.
   */
  final case class Beside(expression: String, partitionBytes: Int) extends Use {
    override def settings: Map[String, String] = merging(partitionBytes)

    override def apply(rows: DataFrame): DataFrame = {
      val mine = rows.toDF(rows.columns.indices.map(i => s"c$i"): _*)
      val values = rows.schema.map(_.dataType).zipWithIndex.map {
        case (t @ (_: ArrayType | _: MapType | _: StructType), i) =>
          s"CAST(NULL AS ${t.sql}) AS k$i"
        case (t, i) => s"try_cast(CAST(id % 60 AS STRING) AS ${t.sql}) AS k$i"
      }
      val keys = values.indices.map(i => col(s"k$i"))
      val numbered = rows.sparkSession
        .range(100)
        .selectExpr(values: _*)
        .groupBy(keys: _*)
        .agg(count("*").as("n"))
        .selectExpr("*", s"$expression AS numbered")
      val equal = values.indices.map(i => mine(s"c$i") === numbered(s"k$i")).reduce(_ && _)
      mine.join(numbered, equal, "full_outer")
    }
  }

  private val Seed = 7L

  private val Expressions =
    Seq("monotonically_increasing_id()", "spark_partition_id()", "rand(7)", "randn(7)")

  def expression(dice: Dice): String = dice.oneOf(Expressions)

  /** Confs with which adaptive execution merges partitions until they have `bytes` bytes. */
  def merging(bytes: Int): Map[String, String] = Map(
    SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "true",
    SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
    SQLConf.SHUFFLE_PARTITIONS.key -> "8",
    SQLConf.ADVISORY_PARTITION_SIZE_IN_BYTES.key -> s"${bytes}b",
    SQLConf.COALESCE_PARTITIONS_PARALLELISM_FIRST.key -> "false",
    SQLConf.COALESCE_PARTITIONS_MIN_PARTITION_SIZE.key -> "1b"
  )

  /** A size for [[merging]] near that of the partitions of random tables. */
  def partitionBytes(dice: Dice): Int = dice.oneOf(Seq(200, 500, 1000))

  def noOracle: Answer =
    throw new UnsupportedOperationException("What depends on the order of rows has no oracle.")

  /** The query, or rarely (4 %) the query in an order-dependent operation. */
  def seldom(dice: Dice, query: Query): Query =
    if (!query.readsTheSame || !dice.chance(4)) query
    else
      OrderDependent(
        query,
        dice.weighted(
          15 -> Sample,
          60 -> Above(expression(dice)),
          25 -> Beside(expression(dice), partitionBytes(dice))))
}
