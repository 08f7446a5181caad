// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

import java.io.{File, RandomAccessFile}
import java.nio.file.{Files, StandardCopyOption}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.parquet.example.data.simple.SimpleGroup
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.example.ExampleParquetWriter
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.schema.MessageTypeParser

import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs

/**
 * Statements that create tables: SQL, or a change that another program makes to files without
 * Spark's knowledge. Such a change is written as a comment, so that a failure's report shows it.
 */
object Statement {

  private val Replace = "-- replace the files of (\\S+) by those of (\\S+)".r

  private val Overwrite = "-- overwrite the files of (\\S+) by those of (\\S+)".r

  private val Identify = "-- read (\\S+) from (\\S+) by field ids".r

  private val Shrink = "-- make (\\S+) of (\\S+) a source that shrinks after its first read".r

  private val Write = "-- write (\\S+) as unsigned integers to (\\S+)".r

  private val ReadV2 = "-- read (\\S+) as a V2 table of (\\S+), (\\S+), with (.+)".r

  private val Break = "-- break a row group in (\\S+)".r

  private val Remove = "-- remove (\\S+)".r

  /** Replaces the files of `folder` by the files of `by`. */
  def replace(folder: String, by: String): String =
    s"-- replace the files of $folder by those of $by"

  /** As [[replace]], but the files keep their names. */
  def overwrite(folder: String, by: String): String =
    s"-- overwrite the files of $folder by those of $by"

  /**
   * Writes the rows of a table to a folder, and creates two views: one that matches columns by field
   * id if Spark is configured to, and otherwise by name, and one that brings such a config along.
   * Two columns of one kind have swapped ids.
   */
  def identify(table: String, folder: String): String = s"-- read $table from $folder by field ids"

  /** A view that returns all rows of another view to its first reader, and half of them later. */
  def shrink(view: String, of: String): String =
    s"-- make $view of $of a source that shrinks after its first read"

  /** Columns of unsigned integers, and their Parquet types. */
  val Unsigned: Seq[(String, String)] = Seq(
    "a" -> "int32 a (INTEGER(8,false))",
    "b" -> "int32 b (INTEGER(16,false))",
    "c" -> "int32 c (INTEGER(32,false))",
    "d" -> "int64 d (INTEGER(64,false))")

  /** Writes the rows of a view, four columns of numbers, as unsigned integers. */
  def unsigned(view: String, folder: String): String =
    s"-- write $view as unsigned integers to $folder"

  /** A view of files that are read as a table of DSv2. @param columns as DDL */
  def readV2(folder: String, format: String, view: String, columns: String): String =
    s"-- read $folder as a V2 table of $format, $view, with $columns"

  /** Makes a row group of one of the Parquet files of a folder unreadable. */
  def break(folder: String): String = s"-- break a row group in $folder"

  /** Removes a folder. */
  def remove(folder: String): String = s"-- remove $folder"

  def run(spark: SparkSession, statement: String): Unit = statement match {
    case Replace(to, from) =>
      files(to).foreach(_.delete())
      files(from).foreach { f =>
        Files.copy(f.toPath, new File(to, f.getName).toPath, StandardCopyOption.REPLACE_EXISTING)
      }
    case Overwrite(to, from) =>
      val (old, by) = (parts(to), parts(from))
      files(to).filterNot(f => old.take(by.length).contains(f)).foreach(_.delete())
      old.zip(by).foreach { case (file, content) =>
        Files.copy(content.toPath, file.toPath, StandardCopyOption.REPLACE_EXISTING)
      }
    case Identify(table, folder) => FieldIds.view(spark, table, folder)
    case Shrink(view, of) => Shrinking.view(spark, view, of)
    case ReadV2(folder, format, view, columns) =>
      Confs.during(spark, Map(SQLConf.USE_V1_SOURCE_LIST.key -> "")) {
        spark.read.schema(columns).format(format).load(folder).createOrReplaceTempView(view)
      }
    case Remove(folder) => delete(new File(folder))
    case Write(view, folder) => writeUnsigned(spark.table(view).collect().toSeq, folder)
    case Break(folder) => breakOne(folder)
    case sql => spark.sql(sql)
  }

  private def writeUnsigned(rows: Seq[Row], folder: String): Unit = {
    val columns = Unsigned.map { case (_, ddl) => s"optional $ddl;" }
    val schema = MessageTypeParser.parseMessageType(columns.mkString("message m { ", " ", " }"))
    val writer = ExampleParquetWriter
      .builder(new Path(folder, "part-0.parquet"))
      .withType(schema)
      .withRowGroupSize(64L)
      .withMinRowCountForPageSizeCheck(1)
      .build()
    try
      rows.foreach { row =>
        val group = new SimpleGroup(schema)
        for (((name, ddl), i) <- Unsigned.zipWithIndex if !row.isNullAt(i)) {
          val bits = BigDecimal(row.get(i).toString).toBigInt.longValue
          if (ddl.startsWith("int64")) group.add(name, bits)
          else if (name == "c") group.add(name, bits.toInt)
          else group.add(name, (bits & (if (name == "a") 0xff else 0xffff)).toInt)
        }
        writer.write(group)
      }
    finally writer.close()
  }

  private def breakOne(folder: String): Unit = {
    files(folder).filter(_.getName.endsWith(".crc")).foreach(_.delete())
    parts(folder).headOption.foreach { file =>
      val input = HadoopInputFile.fromPath(new Path(file.getPath), new Configuration)
      val footer = ParquetFileReader.open(input)
      val starts =
        try footer.getFooter.getBlocks.asScala.map(_.getStartingPos)
        finally footer.close()
      if (starts.nonEmpty) {
        val out = new RandomAccessFile(file, "rw")
        try {
          out.seek(starts(starts.length / 2))
          out.write(Array.fill[Byte](12)(-1))
        } finally out.close()
      }
    }
  }

  /** The data files, without their checksums. */
  private def parts(folder: String): Seq[File] =
    files(folder).filter(_.getName.startsWith("part-")).sortBy(_.getName)

  private def files(folder: String) =
    Option(new File(folder).listFiles).toSeq.flatten.filter(_.isFile)

  private def delete(file: File): Unit = {
    Option(file.listFiles).toSeq.flatten.foreach(delete)
    file.delete()
  }
}
