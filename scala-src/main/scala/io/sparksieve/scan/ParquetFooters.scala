// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import java.util.concurrent.{Callable, ExecutionException, Future}

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileStatus
import org.apache.parquet.HadoopReadOptions
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.apache.parquet.hadoop.util.HadoopInputFile

import org.apache.spark.internal.Logging

import io.sparksieve.common.DaemonThreads

/** Reads the footers of Parquet files on several threads of the driver. */
private[sparksieve] object ParquetFooters extends Logging {

  /**
   * Applies `use` to each file's footer and returns the results in the order of the files. None for
   * a file whose footer cannot be read or used, because it is corrupt, encrypted or missing; the
   * scan then reads the file, and either reports the error or succeeds.
   */
  def map[T](files: Seq[FileStatus], conf: Configuration, threads: Int)(
      use: ParquetMetadata => T): Seq[Option[T]] = {
    // A pool for this call only: threads that outlive the query would hold on to its user and class
    // loader.
    val pool = DaemonThreads.bounded(math.max(1, math.min(threads, files.size)), "sieve-footers")
    try {
      // Strict: in Scala 2.12 the files may be a stream, whose tasks would start after the end.
      val tasks = files.toVector.map { file =>
        file -> pool.submit(new Callable[Option[T]] {
          override def call(): Option[T] = attempt(file, conf, use)
        })
      }
      tasks.map { case (file, task) => outcome(file, task) }
    } finally {
      pool.shutdownNow()
      ()
    }
  }

  // A broken file can make a reader fail with a fatal error too, for example by filling the memory.
  private def outcome[T](file: FileStatus, task: Future[Option[T]]): Option[T] =
    try task.get()
    catch {
      case e: ExecutionException =>
        logDebug(s"No footer of ${file.getPath}: the file is read.", e)
        None
    }

  private def attempt[T](file: FileStatus, conf: Configuration, use: ParquetMetadata => T) =
    try Some(use(read(file, conf)))
    catch {
      case NonFatal(e) =>
        logDebug(s"No footer of ${file.getPath}: the file is read.", e)
        None
    }

  private def read(file: FileStatus, conf: Configuration): ParquetMetadata = {
    val options = HadoopReadOptions.builder(conf, file.getPath).build()
    val reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, conf), options)
    try reader.getFooter
    finally reader.close()
  }
}
