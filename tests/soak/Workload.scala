// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.io.File
import java.nio.file.Files

import org.apache.spark.sql.{DataFrame, SparkSession}

import io.sparksieve.Confs
import io.sparksieve.conf.SieveConf

/**
 * A query.
 *
 * @param word
 *   a word of its physical plan that only Sieve puts there; None if its plan need not differ
 * @param plainly
 *   the same query without functions of Sieve's
 */
final case class Work(
    name: String,
    sql: String,
    word: Option[String] = None,
    confs: Map[String, String] = Map.empty,
    plainly: Option[String] = None) {

  /** The rows, in an order of their own. */
  def rows(session: SparkSession): Seq[String] = Confs.during(session, confs) {
    Workload.texts(session.sql(sql))
  }

  /** The physical plan, as text. */
  def plan(session: SparkSession): String = Confs.during(session, confs) {
    session.sql(sql).queryExecution.executedPlan.toString
  }
}

/** Queries over small tables, at least one for each feature, with their rows without Sieve. */
final class Workload(spark: SparkSession, folder: File) {

  private def file(name: String) = new File(folder, name).getPath

  private val shuffled = Map("spark.sql.autoBroadcastJoinThreshold" -> "-1")

  private val join = "SELECT f.id, f.v, d.tag FROM fact f JOIN dim d ON f.k = d.k WHERE d.tag = 3"

  private val leaves = (0 to 9).map(i => s"in_file(k, '${file(s"part$i.csv")}')").mkString(" OR ")

  val all: Seq[Work] = Seq(
    Work("except", "SELECT * FROM fact WHERE k > 10 EXCEPT SELECT * FROM fact WHERE v < 50"),
    Work("intersect", "SELECT k FROM fact WHERE v > 5 INTERSECT SELECT k FROM fact WHERE k < 90"),
    Work("broadcast", join, Some("DynamicFilter")),
    Work("shuffle", join, Some("DynamicFilter"), shuffled),
    Work(
      "bloom",
      join,
      Some("DynamicFilter"),
      shuffled ++ Map(
        SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "true",
        SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "10",
        SieveConf.DYNAMIC_FILTER_BLOOM_MAX_BYTES.key -> "64KB")
    ),
    Work(
      "strings",
      "SELECT f.id FROM fact f JOIN dim d ON f.s = d.s WHERE d.tag IN (1, 2)",
      Some("DynamicFilter"),
      shuffled),
    Work(
      "adaptive",
      "SELECT id FROM fact WHERE v % 7 < 5 AND s LIKE '%1%' AND k BETWEEN 5 AND 90",
      Some("AdaptiveFilter")),
    Work(
      "values",
      s"SELECT id FROM fact WHERE in_file(k, '${file("keys.csv")}') AND v > 3",
      Some("LoadKeys"),
      plainly = Some("SELECT id FROM fact WHERE k % 7 = 0 AND v > 3")
    ),
    Work(
      "tree",
      s"SELECT id FROM fact WHERE ($leaves) AND NOT in_table(v, 'dim.tag')",
      Some("LoadKeys"),
      plainly =
        Some(s"SELECT id FROM fact WHERE k IN (${Workload.keysOfTree.mkString(", ")}) AND v > 9")
    ),
    Work(
      "ranges",
      "SELECT r.val, r.squared FROM ranges r JOIN dim d ON r.val = d.k WHERE d.tag = 2"),
    Work(
      "subquery",
      "SELECT count(*) FROM fact WHERE k IN (SELECT k FROM dim WHERE tag = 1) AND v > " +
        "(SELECT min(tag) FROM dim)",
      Some("DynamicFilter")
    ),
    Work(
      "aggregate",
      "SELECT d.tag, sum(f.v) FROM fact f JOIN dim d ON f.k = d.k " +
        "WHERE d.tag < 2 AND f.v > 9 AND f.s > 's2' GROUP BY d.tag",
      Some("DynamicFilter")
    )
  )

  /** The rows without Sieve. */
  val expected: Map[String, Seq[String]] = {
    val plain = open(Map(SieveConf.ENABLED.key -> "false"))
    all.map(w => w.name -> Workload.texts(plain.sql(w.plainly.getOrElse(w.sql)))).toMap
  }

  /** A new session with the tables. */
  def open(confs: Map[String, String] = Map.empty): SparkSession = {
    val session = spark.newSession()
    Seq("fact", "dim").foreach(t => session.read.parquet(file(t)).createOrReplaceTempView(t))
    session.read.format("rangedb").option("rows", 500).load().createOrReplaceTempView("ranges")
    confs.foreach { case (key, value) => session.conf.set(key, value) }
    session
  }

  /** Why the rows of a query are wrong; None if they are right. */
  def check(work: Work, session: SparkSession): Option[String] = {
    val rows = work.rows(session)
    if (rows == expected(work.name)) None
    else Some(s"${work.name}: ${rows.size} rows instead of ${expected(work.name).size}")
  }
}

object Workload {

  /** The words of [[Work]] that each switch takes out of all plans. */
  val Switches: Map[String, Seq[String]] = Map(
    SieveConf.ENABLED.key -> Seq("DynamicFilter", "AdaptiveFilter"),
    SieveConf.DYNAMIC_FILTER_ENABLED.key -> Seq("DynamicFilter"),
    SieveConf.ADAPTIVE_FILTER_ENABLED.key -> Seq("AdaptiveFilter")
  )

  def texts(df: DataFrame): Seq[String] = df.collect().map(_.toString).sorted.toSeq

  /** Writes the tables and the files of values. */
  def write(spark: SparkSession, folder: File): Unit = {
    def to(name: String) = new File(folder, name).getPath
    spark
      .range(0, 20000, 1, 6)
      .selectExpr(
        "id",
        "cast(id / 200 AS INT) AS k",
        "cast(id % 101 AS INT) AS v",
        "concat('s', id % 500) AS s")
      .write
      .parquet(to("fact"))
    spark
      .range(0, 400, 1, 2)
      .selectExpr("cast(id AS INT) AS k", "cast(id % 10 AS INT) AS tag", "concat('s', id) AS s")
      .write
      .parquet(to("dim"))
    def values(name: String, keys: Seq[Int]) =
      Files.writeString(new File(folder, name).toPath, keys.mkString("", "\n", "\n"))
    values("keys.csv", 0 to 300 by 7)
    (0 to 9).foreach(i => values(s"part$i.csv", keysOfLeaf(i)))
  }

  private def keysOfLeaf(i: Int): Seq[Int] = i * 3 to 90 by 17

  private def keysOfTree: Seq[Int] = (0 to 9).flatMap(keysOfLeaf).distinct
}
