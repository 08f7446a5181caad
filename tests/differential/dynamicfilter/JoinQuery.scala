// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.dynamicfilter

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs
import io.sparksieve.differential.{Answer, Query}
import io.sparksieve.differential.judgement.OrderDependent

/** The text around the SELECTs of a query. */
sealed trait Frame

object Frame {

  /** The SELECTs, and UNION ALL between them. */
  case object Bare extends Frame

  /**
   * The SELECTs are a WITH clause, which `text` reads.
   *
   * @param text
   *   a query that reads [[JoinQuery.View]] more than once
   */
  final case class With(text: String) extends Frame

  /** The SELECTs are a view that is cached before it is read. */
  case object Cached extends Frame
}

/**
 * A random query of the dynamic-filter feature.
 *
 * @param bodies
 *   SELECTs of the same column types
 */
final case class JoinQuery(bodies: Vector[Body], frame: Frame, settings: Map[String, String])
    extends Query {

  private def bases = bodies.flatMap(_.inputs).map(_.base).distinct

  private def views: Seq[(String, String)] = bases.flatMap(_.views).distinct

  override def before: Seq[String] = views.map(_._2) ++
    Seq(s"CREATE TEMPORARY VIEW ${JoinQuery.View} AS ${selects(opaque = false)}").filter(_ =>
      caches)

  override def after: Seq[String] =
    Seq(s"DROP VIEW IF EXISTS ${JoinQuery.View}").filter(_ => caches) ++
      views.reverse.map {
        case (name, make) if JoinQuery.caches(make) => s"UNCACHE TABLE IF EXISTS $name"
        case (name, _) => s"DROP VIEW IF EXISTS $name"
      }

  override def text: String = sql(opaque = false)

  private def sql(opaque: Boolean): String = frame match {
    case Frame.Bare => selects(opaque)
    case Frame.With(reading) => withs(Seq(JoinQuery.View -> union(opaque))) + reading
    case Frame.Cached if opaque => selects(opaque)
    case Frame.Cached => s"SELECT * FROM ${JoinQuery.View}"
  }

  private def selects(opaque: Boolean): String = withs(Nil) + union(opaque)

  private def union(opaque: Boolean): String =
    if (bodies.length == 1) bodies.head.sql(opaque)
    else bodies.map(b => s"(${b.sql(opaque)})").mkString(" UNION ALL ")

  private def withs(more: Seq[(String, String)]): String = {
    val all = bases.flatMap(_.ctes).distinct ++ more
    if (all.isEmpty) ""
    else all.map { case (name, text) => s"$name AS ($text)" }.mkString("WITH ", ", ", " ")
  }

  // Each run caches anew: what is in the cache is the work of the run.
  override def dataFrame(spark: SparkSession): DataFrame = {
    if (caches) {
      spark.sql(s"UNCACHE TABLE IF EXISTS ${JoinQuery.View}")
      spark.sql(s"CACHE LAZY TABLE ${JoinQuery.View}")
    }
    spark.sql(text)
  }

  override def caches: Boolean = frame == Frame.Cached

  private def numbers: Boolean = bodies.exists(_.numbered.nonEmpty)

  override def readsTheSame: Boolean = !caches && !numbers

  override def hasOneAnswer: Boolean = !numbers

  override def mergesStrings: Boolean = bodies.exists(_.mergesStrings)

  /**
   * The same query with nested-loop joins: Spark finds no equi-join key in a condition, pushes
   * nothing into a scan, and prunes nothing.
   */
  override def oracle(spark: SparkSession, run: String => Answer): Answer =
    if (numbers) OrderDependent.noOracle
    else
      Confs.during(spark, JoinQuery.Plainest) {
        views.foreach { case (name, make) =>
          if (JoinQuery.caches(make)) spark.sql(s"UNCACHE TABLE IF EXISTS $name")
        }
        run(sql(opaque = true))
      }

  override def simpler: Seq[Query] =
    bodies.indices
      .filter(_ => bodies.length > 1)
      .map(i => copy(bodies = bodies.patch(i, Nil, 1))) ++
      (if (frame == Frame.Bare) Nil else Seq(copy(frame = Frame.Bare))) ++
      bodies.indices.flatMap(i =>
        bodies(i).simpler.map(b => copy(bodies = bodies.updated(i, b)))) ++
      settings.keys.toSeq.sorted.map(k => copy(settings = settings - k))
}

object JoinQuery {

  /** The name of the WITH clause or view that [[Frame.With]] and [[Frame.Cached]] read. */
  val View = "joined"

  private def caches(statement: String) = statement.startsWith("CACHE")

  /** Confs that disable as many optimizations of Spark as possible. */
  private val Plainest = Map(
    SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
    // Cartesian products of partitions would be many small tasks.
    SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "10MB",
    SQLConf.FILES_MAX_PARTITION_BYTES.key -> "128MB",
    SQLConf.SHUFFLE_PARTITIONS.key -> "1",
    // ReplaceExceptWithFilter confuses columns of the same name.
    SQLConf.REPLACE_EXCEPT_WITH_FILTER.key -> "false",
    SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
    SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN",
    SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false",
    SQLConf.RUNTIME_BLOOM_FILTER_ENABLED.key -> "false",
    SQLConf.OPTIMIZE_NULL_AWARE_ANTI_JOIN.key -> "false",
    SQLConf.BUCKETING_ENABLED.key -> "false",
    SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.CSV_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.JSON_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key -> "false",
    SQLConf.EXCHANGE_REUSE_ENABLED.key -> "false"
  )
}
