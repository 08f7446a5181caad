package io.sparksieve.differential

import java.io.File
import java.nio.file.{Files, StandardCopyOption}

import org.apache.spark.sql.SparkSession

/**
 * Statements that make tables: SQL, or something that another program does to files behind Spark's
 * back, which is written as a comment and so can be read in a failure's report.
 */
object Statement {

  private val Replace = "-- replace the files of (\\S+) by those of (\\S+)".r

  private val Remove = "-- remove (\\S+)".r

  /** Puts the files of one folder in the place of those of another. */
  def replace(folder: String, by: String): String =
    s"-- replace the files of $folder by those of $by"

  /** Removes a folder. */
  def remove(folder: String): String = s"-- remove $folder"

  def run(spark: SparkSession, statement: String): Unit = statement match {
    case Replace(to, from) =>
      files(to).foreach(_.delete())
      files(from).foreach { f =>
        Files.copy(f.toPath, new File(to, f.getName).toPath, StandardCopyOption.REPLACE_EXISTING)
      }
    case Remove(folder) => delete(new File(folder))
    case sql => spark.sql(sql)
  }

  private def files(folder: String) =
    Option(new File(folder).listFiles).toSeq.flatten.filter(_.isFile)

  private def delete(file: File): Unit = {
    Option(file.listFiles).toSeq.flatten.foreach(delete)
    file.delete()
  }
}
