// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * A query that each run caches, and that is read in a statement which Sieve may not rewrite, or may
 * rewrite otherwise than the cached query: only the cache must be read.
 *
 * @param reading
 *   how it is read: one of `CachedQuery.Readings`
 */
final case class CachedQuery(query: Query, reading: Int) extends Query {

  override def settings: Map[String, String] = query.settings

  override def before: Seq[String] = query.before

  override def after: Seq[String] = CachedQuery.Forget ++ query.after

  override def text: String =
    s"-- cached as ${CachedQuery.View}, and read by: ${statement("c", "d")}\n${query.text}"

  private def statement(first: String, last: String) =
    CachedQuery.Readings(reading).replace("FIRST", s"`$first`").replace("LAST", s"`$last`")

  override def dataFrame(spark: SparkSession): DataFrame = {
    val columns = CachedQuery.keep(spark, query.dataFrame(spark)).columns
    spark.sql(statement(columns.head, columns.last))
  }

  // Which of several equal strings remains depends on the order of the cached rows.
  override def mergesStrings: Boolean = true

  override def hasOneAnswer: Boolean = query.hasOneAnswer

  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    throw new UnsupportedOperationException("The query itself has an oracle.")

  override def readsTheSame: Boolean = false

  override def caches: Boolean = true

  override def simpler: Seq[Query] = query +: query.simpler.map(q => copy(query = q))
}

object CachedQuery {

  /** The name of the cached view. */
  val View = "kept"

  /** Statements that remove the view and what is cached of it. */
  val Forget: Seq[String] = Seq("UNCACHE TABLE", "DROP VIEW").map(_ + s" IF EXISTS $View")

  private val Known = s"SELECT * FROM $View WHERE FIRST IS NOT NULL"
  private val Others = s"SELECT * FROM $View WHERE LAST IS NULL"

  private val Readings = Vector(
    s"SELECT DISTINCT * FROM $View",
    s"WITH u AS (SELECT * FROM $View) SELECT *, rand(7) < 2 FROM u",
    s"SELECT *, monotonically_increasing_id() < 0 FROM (SELECT DISTINCT * FROM $View)",
    s"$Known EXCEPT $Others",
    s"$Known INTERSECT $Others",
    s"$Known UNION ALL $Others",
    s"$Known UNION $Others",
    s"WITH u AS ($Known) SELECT * FROM u EXCEPT SELECT * FROM u WHERE LAST IS NULL",
    s"WITH u AS ($Known), w AS (SELECT * FROM u) SELECT * FROM w EXCEPT SELECT * FROM w WHERE FIRST IS NULL",
    s"SELECT * FROM $View WHERE FIRST IN (SELECT FIRST FROM $View WHERE LAST IS NOT NULL)",
    s"SELECT * FROM $View AS a LEFT ANTI JOIN ($Others) AS b ON a.FIRST <=> b.FIRST"
  )

  /** The query, or rarely (2 %) the query read from the cache. */
  def seldom(dice: Dice, query: Query): Query =
    if (!query.readsTheSame || !dice.chance(2)) query
    else CachedQuery(query, dice.below(Readings.length))

  /** Caches `rows` as a view, and reads the view. */
  def keep(spark: SparkSession, rows: DataFrame): DataFrame = {
    Forget.foreach(spark.sql(_))
    rows.createTempView(View)
    spark.sql(s"CACHE TABLE $View")
    spark.table(View)
  }
}
