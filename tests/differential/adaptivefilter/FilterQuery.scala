// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.adaptivefilter

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs
import io.sparksieve.differential.{Answer, Query}
import io.sparksieve.differential.setop.Leaf

/**
 * A random query of the adaptive-filter feature.
 *
 * @param counted
 *   whether the query counts the rows, so that it returns nothing before all rows are filtered
 * @param residual
 *   conditions of a join of the rows with three numbers `r.rid`; no join if empty
 */
final case class FilterQuery(
    leaf: Leaf,
    counted: Boolean,
    settings: Map[String, String],
    residual: Vector[String] = Vector.empty)
    extends Query {

  override def before: Seq[String] = leaf.base.views.map(_._2)

  override def after: Seq[String] = leaf.base.views.map(v => s"DROP VIEW IF EXISTS ${v._1}")

  override def text: String = {
    val ctes =
      leaf.base.ctes.map { case (name, query) => s"$name AS ($query)" }
    val withs = if (ctes.isEmpty) "" else ctes.mkString("WITH ", ", ", " ")
    val rows =
      if (residual.isEmpty) leaf.sql
      else
        s"SELECT l.*, rid FROM (${leaf.sql}) AS l JOIN (SELECT id AS rid FROM range(3)) AS r " +
          residual.mkString("ON ", " AND ", "")
    withs + (if (counted) s"SELECT count(*) AS n FROM ($rows) AS q" else rows)
  }

  override def dataFrame(spark: SparkSession): DataFrame = spark.sql(text)

  override def mergesStrings: Boolean = leaf.mergesStrings

  /** The same query by interpreted evaluation, row by row. */
  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    Confs.during(
      spark,
      Map(
        // ReplaceExceptWithFilter confuses columns of the same name.
        SQLConf.REPLACE_EXCEPT_WITH_FILTER.key -> "false",
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
        SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN",
        SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false",
        SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> "false",
        SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false",
        SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> "false"
      )
    )(run(text))

  override def simpler: Seq[Query] =
    (if (counted) Seq(copy(counted = false)) else Nil) ++
      residual.indices.map(i => copy(residual = residual.patch(i, Nil, 1))) ++
      leaf.simpler.collect { case l: Leaf => copy(leaf = l) } ++
      settings.keys.toSeq.sorted.map(k => copy(settings = settings - k))
}
