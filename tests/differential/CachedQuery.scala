// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.Confs
import io.sparksieve.conf.SieveConf

/**
 * A query that each run caches, and that is read in a statement which Sieve may not rewrite, or may
 * rewrite otherwise than the cached query: only the cache must be read.
 *
 * @param reading
 *   how it is read: one of `CachedQuery.Readings`
 * @param cached
 *   how it is cached
 */
final case class CachedQuery(query: Query, reading: Int, cached: Cached) extends Query {

  override def settings: Map[String, String] = query.settings

  override def before: Seq[String] = query.before

  override def after: Seq[String] = cached.forget ++ query.after

  override def text: String =
    s"-- cached ($cached), and read by: ${statement("c", "d")}\n${query.text}"

  private def statement(first: String, last: String) =
    CachedQuery
      .Readings(reading)
      .replace("VIEW", cached.view)
      .replace("FIRST", s"`$first`")
      .replace("LAST", s"`$last`")

  override def dataFrame(spark: SparkSession): DataFrame = {
    val columns = cached.keep(spark, query.dataFrame(spark)).columns
    spark.sql(statement(columns.head, columns.last))
  }

  // Which of several equal strings remains depends on the order of the cached rows.
  override def mergesStrings: Boolean = true

  override def hasOneAnswer: Boolean = query.hasOneAnswer

  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    throw new UnsupportedOperationException("The query itself has an oracle.")

  override def readsTheSame: Boolean = false

  override def caches: Boolean = true

  override def simpler: Seq[Query] =
    query +: ((if (cached == Cached.View) Nil else Seq(copy(cached = Cached.View))) ++
      query.simpler.map(q => copy(query = q)))
}

/**
 * A way to cache a query.
 *
 * @param view
 *   the view that is cached
 * @param statement
 *   what caches it
 */
sealed abstract class Cached(val view: String = "kept", statement: String = "CACHE TABLE") {

  /** Statements that remove the view and what is cached of it. */
  def forget: Seq[String] = Cached.forget(view)

  /** Caches `rows` in place of what was cached, and returns the view by which they are read. */
  def keep(spark: SparkSession, rows: DataFrame): DataFrame = {
    forget.foreach(spark.sql(_))
    create(rows)
    fill(spark)
    spark.table(view)
  }

  protected def create(rows: DataFrame): Unit = rows.createTempView(view)

  protected def fill(spark: SparkSession): Unit = {
    spark.sql(s"$statement $view")
    ()
  }
}

object Cached {

  case object View extends Cached

  /** Filled by the first query that reads it. */
  case object Lazily extends Cached(statement = "CACHE LAZY TABLE")

  case object GlobalView extends Cached(view = "global_temp.kept") {
    override protected def create(rows: DataFrame): Unit = rows.createGlobalTempView("kept")
  }

  /** Cached without Sieve if it is read with it, and the reverse. */
  case object Crossed extends Cached {
    override protected def fill(spark: SparkSession): Unit = {
      val other = !spark.conf.get(SieveConf.ENABLED.key).toBoolean
      Confs.during(spark, Map(SieveConf.ENABLED.key -> other.toString))(super.fill(spark))
    }
  }

  val all: Seq[Cached] = Seq(View, Lazily, GlobalView, Crossed)

  /** Statements that remove a view and what is cached of it. */
  def forget(view: String): Seq[String] =
    Seq("UNCACHE TABLE", "DROP VIEW").map(_ + s" IF EXISTS $view")
}

object CachedQuery {

  private val Known = "SELECT * FROM VIEW WHERE FIRST IS NOT NULL"
  private val Others = "SELECT * FROM VIEW WHERE LAST IS NULL"

  // The values of functions of the order of rows are hidden: cached rows have the order of the plan
  // that filled the cache, as SOUNDNESS.md says.
  private val Readings = Vector(
    "SELECT DISTINCT * FROM VIEW",
    "WITH u AS (SELECT * FROM VIEW) SELECT *, rand(7) < 2 FROM u",
    "SELECT *, monotonically_increasing_id() < 0 FROM (SELECT DISTINCT * FROM VIEW)",
    "SELECT *, monotonically_increasing_id() > -1000 FROM VIEW",
    "SELECT *, spark_partition_id() > -1000 FROM VIEW",
    "SELECT *, randn(7) > -1000 FROM VIEW",
    s"$Known EXCEPT $Others",
    s"$Known INTERSECT $Others",
    s"$Known UNION ALL $Others",
    s"$Known UNION $Others",
    s"WITH u AS ($Known) SELECT * FROM u EXCEPT SELECT * FROM u WHERE LAST IS NULL",
    s"WITH u AS ($Known), w AS (SELECT * FROM u) SELECT * FROM w EXCEPT SELECT * FROM w WHERE FIRST IS NULL",
    "SELECT * FROM VIEW WHERE FIRST IN (SELECT FIRST FROM VIEW WHERE LAST IS NOT NULL)",
    s"SELECT * FROM VIEW AS a LEFT ANTI JOIN ($Others) AS b ON a.FIRST <=> b.FIRST",
    "SELECT * FROM VIEW AS a WHERE EXISTS (SELECT 1 FROM VIEW AS b WHERE b.FIRST = a.FIRST AND b.LAST IS NULL)",
    "SELECT *, (SELECT count(*) FROM VIEW AS b WHERE b.FIRST = a.FIRST AND b.LAST IS NOT NULL) FROM VIEW AS a"
  )

  /** The query, or rarely (3 %) the query read from the cache. */
  def seldom(dice: Dice, query: Query): Query =
    if (!query.readsTheSame || !dice.chance(3)) query
    else CachedQuery(query, dice.below(Readings.length), dice.oneOf(Cached.all))
}
