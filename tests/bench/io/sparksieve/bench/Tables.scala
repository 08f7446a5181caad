// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.{Files, Path, Paths}

import scala.collection.mutable

import org.apache.spark.sql.{SaveMode, SparkSession}

/**
 * A data set under the view name that queries use.
 *
 * @param cached
 *   whether the table is cached; all of it is loaded before anything is measured
 */
final case class Table(view: String, data: DataSet, cached: Boolean = false)

/** Files from outside Spark, from which data sets are built. */
trait Source {

  /** Creates the files if they do not exist. */
  def ensure(): Unit
}

/**
 * Generated data.
 *
 * @param name
 *   the name in reports
 * @param sql
 *   a query over `ids(id BIGINT)`, which holds 0 until `rows`, or over the files of `source`; its
 *   values depend on nothing else
 * @param format
 *   one of Spark's file formats
 * @param files
 *   number of partitions of `ids`
 * @param options
 *   options of the writer
 * @param partitionBy
 *   partition columns
 * @param source
 *   files that must exist before the query can run
 */
final case class DataSet(
    name: String,
    rows: Long,
    sql: String,
    format: String = "parquet",
    files: Int = 8,
    options: Map[String, String] = Map.empty,
    partitionBy: Seq[String] = Nil,
    source: Option[Source] = None) {

  /**
   * The folder's name. It includes a hash of the parameters, so other parameters get another
   * folder.
   */
  def key: String = {
    val set = options.toSeq.sorted.map { case (k, v) => s"$k=$v" }
    val parameters = Seq(sql, files.toString) ++ set ++ partitionBy
    val rest = scala.util.hashing.MurmurHash3.stringHash(parameters.mkString("/"))
    f"$name-$format-$rows-$rest%08x"
  }
}

/**
 * Writes generated data once and registers it as temporary views.
 *
 * @param home
 *   the folder that keeps the data between runs
 */
final class Tables(home: Path) {

  private val registered = mutable.Map.empty[(Int, String), DataSet]
  private val sizes = mutable.LinkedHashMap.empty[DataSet, Long]

  /** The data sets registered so far, with their sizes in bytes. */
  def used: Seq[(DataSet, Long)] = sizes.toSeq

  def register(session: SparkSession, table: Table): Unit = {
    val data = table.data
    val view = (System.identityHashCode(session), table.view)
    if (!registered.get(view).contains(data)) {
      data.source.foreach(_.ensure())
      val folder = home.resolve(data.key)
      session.range(0, data.rows, 1, data.files).toDF().createOrReplaceTempView("ids")
      if (!Files.isDirectory(folder)) write(session, data, folder)
      val schema = session.sql(data.sql).schema
      session.read
        .schema(schema)
        .format(data.format)
        .load(folder.toString)
        .createOrReplaceTempView(table.view)
      if (table.cached) session.sql(s"CACHE TABLE ${table.view}")
      sizes.getOrElseUpdate(data, bytes(folder))
      registered.put(view, data)
      ()
    }
  }

  /**
   * Writes under a temporary name first, so that the remains of an interrupted run are never read.
   */
  private def write(session: SparkSession, data: DataSet, folder: Path): Unit = {
    val unfinished = home.resolve(data.key + ".unfinished")
    session
      .sql(data.sql)
      .write
      .format(data.format)
      .options(data.options)
      .partitionBy(data.partitionBy: _*)
      .mode(SaveMode.Overwrite)
      .save(unfinished.toString)
    Files.move(unfinished, folder)
    ()
  }

  private def bytes(folder: Path): Long = {
    val files = Files.walk(folder)
    try {
      files.toArray
        .map(_.asInstanceOf[Path])
        .filter(f => Files.isRegularFile(f) && !f.getFileName.toString.startsWith("."))
        .map(f => Files.size(f))
        .sum
    } finally files.close()
  }
}

object Tables {

  /** The folder of the benchmarks' data, which is kept between runs. */
  val Home: Path = Paths.get("target", "bench-data")
}
