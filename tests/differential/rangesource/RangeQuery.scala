// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.rangesource

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.conf.SieveConf
import io.sparksieve.differential.{Answer, Query}

/**
 * A random query of the range-source feature: over the source if Sieve is on, and over a file with
 * the same rows if Sieve is off.
 *
 * @param format
 *   the name of the source
 * @param options
 *   the options of the source, as SQL
 * @param rows
 *   the number of rows of the table
 * @param nested
 *   whether the table has a struct
 * @param start
 *   text before the conditions
 * @param conditions
 *   conjuncts of the query's WHERE
 * @param end
 *   text after the conditions
 */
final case class RangeQuery(
    format: String,
    options: String,
    rows: Int,
    nested: Boolean,
    start: String,
    conditions: Vector[String],
    end: String,
    settings: Map[String, String])
    extends Query {

  override def before: Seq[String] = {
    // Columns of files are nullable, and so are the fields of a struct of them, unless coalesce
    // replaces NULL.
    val columns = Seq("squared", "cubed").map(c => s"coalesce($c, 0L) AS $c")
    val selected =
      if (nested) s"struct(${columns.mkString(", ")}) AS data" else columns.mkString(", ")
    Seq(
      s"CREATE OR REPLACE TEMPORARY VIEW ${RangeQuery.Source} USING `$format` OPTIONS ($options)",
      s"CREATE OR REPLACE TEMPORARY VIEW ${RangeQuery.Files} AS " +
        s"SELECT val, $selected FROM ${RangeGenerator.Reference} WHERE val <= $rows"
    )
  }

  override def after: Seq[String] =
    Seq(RangeQuery.Source, RangeQuery.Files).map(v => s"DROP VIEW IF EXISTS $v")

  override def text: String = {
    val where = if (conditions.isEmpty) "" else conditions.mkString(" WHERE ", " AND ", "")
    s"$start$where$end"
  }

  /** The query over the file. */
  private def reference = text.replace(RangeQuery.Source, RangeQuery.Files)

  override def dataFrame(spark: SparkSession): DataFrame =
    spark.sql(if (spark.conf.get(SieveConf.ENABLED.key) == "true") text else reference)

  override def readsTheSame: Boolean = false

  override def mergesStrings: Boolean = false

  override def oracle(spark: SparkSession, run: String => Answer): Answer = run(reference)

  override def simpler: Seq[Query] =
    conditions.indices.map(i => copy(conditions = conditions.patch(i, Nil, 1))) ++
      settings.keys.toSeq.sorted.map(k => copy(settings = settings - k))
}

object RangeQuery {

  /** The view of the source. */
  val Source = "ranges_of_keys"

  /** The view of the file. */
  val Files = "files_of_keys"
}
