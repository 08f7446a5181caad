package io.sparksieve.bench

import java.nio.file.{Files, Path}

import scala.collection.mutable

import org.apache.spark.sql.{SaveMode, SparkSession}

/** Data under a name that queries use. */
final case class Table(view: String, data: DataSet)

/**
 * Generated data.
 *
 * @param name
 *   its name in reports
 * @param sql
 *   a query over `ids(id BIGINT)`, which holds 0 until `rows`; its values depend on id only
 * @param format
 *   a file format of Spark's
 * @param files
 *   in how many slices the ids are written
 */
final case class DataSet(
    name: String,
    rows: Long,
    sql: String,
    format: String = "parquet",
    files: Int = 8) {

  /** The folder's name: other parameters, other folder. */
  def key: String = {
    val rest = scala.util.hashing.MurmurHash3.stringHash(s"$sql/$files")
    f"$name-$format-$rows-$rest%08x"
  }
}

/**
 * Writes generated data once and registers it as temporary views.
 *
 * @param home
 *   the folder that keeps the data from run to run
 */
final class Tables(home: Path) {

  private val registered = mutable.Set.empty[(Int, Table)]
  private val sizes = mutable.LinkedHashMap.empty[DataSet, Long]

  /** The data registered so far and its size in bytes. */
  def used: Seq[(DataSet, Long)] = sizes.toSeq

  def register(session: SparkSession, table: Table): Unit =
    if (registered.add((System.identityHashCode(session), table))) {
      val data = table.data
      val folder = home.resolve(data.key)
      session.range(0, data.rows, 1, data.files).toDF().createOrReplaceTempView("ids")
      if (!Files.isDirectory(folder)) write(session, data, folder)
      val schema = session.sql(data.sql).schema
      session.read
        .schema(schema)
        .format(data.format)
        .load(folder.toString)
        .createOrReplaceTempView(table.view)
      sizes.getOrElseUpdate(data, bytes(folder))
    }

  /** Under another name first: what an interrupted run leaves must not pass for the data. */
  private def write(session: SparkSession, data: DataSet, folder: Path): Unit = {
    val unfinished = home.resolve(data.key + ".unfinished")
    session
      .sql(data.sql)
      .write
      .format(data.format)
      .mode(SaveMode.Overwrite)
      .save(unfinished.toString)
    Files.move(unfinished, folder)
    ()
  }

  private def bytes(folder: Path): Long = {
    val files = Files.list(folder)
    try {
      files.toArray
        .map(_.asInstanceOf[Path])
        .filterNot(f => f.getFileName.toString.startsWith("."))
        .map(f => Files.size(f))
        .sum
    } finally files.close()
  }
}
