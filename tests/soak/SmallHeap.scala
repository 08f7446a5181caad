// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.io.File

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession

import io.sparksieve.LocalSession
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Measured

/**
 * Queries whose keys are large for the heap, in a JVM of its own. Arguments: a folder, `off` or
 * `on`, and the number of keys. Prints the rows of each query, and with Sieve on what became of its
 * keys.
 */
object SmallHeap {

  /** How the lines begin that must be the same without and with Sieve. */
  final val Rows = "rows of "

  private final case class Heavy(name: String, sql: String, confs: Map[String, String])

  def main(args: Array[String]): Unit = {
    val folder = args(0)
    val sieve = args(1) == "on"
    val keys = args(2).toLong
    val spark = session(new File(folder))
    try {
      tables(spark, new File(folder), keys)
      spark.conf.set(SieveConf.ENABLED.key, sieve.toString)
      heavy.foreach { q =>
        q.confs.foreach { case (key, value) => spark.conf.set(key, value) }
        val query = spark.sql(q.sql)
        val rows =
          try query.collect().map(_.toString).sorted.mkString(" ")
          catch { case NonFatal(e) => s"failed: ${e.getMessage.linesIterator.next()}" }
        println(s"$Rows${q.name}: $rows")
        // 64 filters need no 64 lines.
        val filters = Measured.in(query.queryExecution.executedPlan).entries.map(_.detail)
        filters.groupBy(_.takeWhile(c => c != '(' && c != ';')).toSeq.sortBy(_._1).foreach {
          case (_, Seq(one)) => println(s"   $one")
          case (what, all) => println(s"   ${all.size} times ${what.trim}")
        }
        q.confs.keys.foreach(spark.conf.unset)
      }
    } finally spark.stop()
  }

  private def heavy: Seq[Heavy] = {
    val shuffled = Map("spark.sql.autoBroadcastJoinThreshold" -> "-1")
    val join = "SELECT count(*), sum(f.id) FROM facts f JOIN keys d ON f.id = d.id WHERE d.x <> 3"
    val star =
      (0 until 64).map(i => s"JOIN (SELECT k FROM small WHERE x <> ${i % 7}) d$i ON f.k$i = d$i.k")
    Seq(
      Heavy("keys of a shuffle", join, shuffled),
      Heavy(
        "keys of a shuffle in a Bloom filter",
        join,
        shuffled + (SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "true")),
      Heavy(
        "keys of a broadcast at the cap",
        "SELECT count(*), sum(f.id) FROM facts f JOIN " +
          "(SELECT id FROM keys WHERE id < 2000000 AND x >= 0) d ON f.id = d.id",
        Map("spark.sql.autoBroadcastJoinThreshold" -> "64MB")
      ),
      Heavy(
        "64 filters",
        s"SELECT count(*), sum(f.id) FROM wide f ${star.mkString(" ")}",
        Map.empty)
    )
  }

  private def tables(spark: SparkSession, folder: File, keys: Long): Unit = {
    def table(name: String, rows: Long, columns: String*): Unit = {
      val path = new File(folder, name)
      if (!new File(path, "_SUCCESS").exists())
        spark
          .range(0, rows, 1, 8)
          .selectExpr(columns: _*)
          .write
          .mode("overwrite")
          .parquet(path.getPath)
      spark.read.parquet(path.getPath).createOrReplaceTempView(name)
    }
    table("facts", keys * 2, "id", "id % 97 AS v")
    table("keys", keys, "id * 2 AS id", "id % 10 AS x")
    table("small", 20000, "cast(id AS INT) AS k", "id % 7 AS x")
    table(
      "wide",
      200000,
      "id" +: (0 until 64).map(i => s"cast(hash(id, $i) & 16383 AS INT) AS k$i"): _*)
  }

  private def session(folder: File): SparkSession =
    LocalSession
      .builder("small-heap")
      .config("spark.local.dir", new File(folder, "local").getPath)
      // Spark itself sorts no more than a few million rows in such a heap.
      .config("spark.sql.shuffle.partitions", "200")
      .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
      .getOrCreate()
}
