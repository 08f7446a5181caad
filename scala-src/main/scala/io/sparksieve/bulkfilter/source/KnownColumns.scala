package io.sparksieve.bulkfilter.source

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.StructType

import io.sparksieve.common.LastUsed

/**
 * Caches the columns of files. However often queries name a file, its columns are read once, until
 * the file changes.
 */
private[bulkfilter] object KnownColumns {

  private val Max = 1000

  private final case class Key(
      path: String,
      format: String,
      options: Map[String, String],
      settings: String,
      files: Seq[FileStamp])

  private val known = new LastUsed[Key, StructType](Max)

  def apply(
      session: SparkSession,
      path: String,
      format: String,
      options: Map[String, String],
      files: Seq[FileStatus])(read: => StructType): StructType = {
    val key = Key(path, format, options, ReadSettings(session), files.map(FileStamp(_)))
    Option(synchronized(known.get(key))).getOrElse {
      val columns = read
      synchronized(known.put(key, columns))
      columns
    }
  }
}
