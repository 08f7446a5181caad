// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.{AnalysisException, SparkSession}
import org.apache.spark.sql.execution.sieve.Sizes

import io.sparksieve.common.Numbers
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * Values take more memory than allowed, and cannot be joined with the rows instead. Thrown while
 * the query is optimized. A running query throws it only if a file has grown since, or if Spark
 * evaluates the predicate before the query is optimized.
 */
final class KeysTooLargeException(message: String)
    extends AnalysisException(
      // As in KeyFileException: the message of this error condition is its parameter.
      errorClass = "_LEGACY_ERROR_TEMP_1332",
      messageParameters = Map("errorMessage" -> message)
    )

private[bulkfilter] object KeysTooLargeException {

  /**
   * @param why
   *   the rest of a sentence that begins with "The predicate cannot be answered by a join instead,
   *   because"
   */
  def refuse(session: SparkSession, files: Seq[FileKeys], why: String): Nothing = {
    val conf = SparkCompat.conf(session)
    val names = files.distinct.map(describe)
    throw new KeysTooLargeException(
      s"${names.mkString(", ")}: the values take more memory than allowed. The predicate cannot be " +
        s"answered by a join instead, because $why. Raise " +
        s"${SieveConf.BULK_FILTER_MAX_LEAF_BYTES.key} (now " +
        s"${Sizes.show(SieveConf.bulkFilterMaxLeafBytes(conf))}) or " +
        s"${SieveConf.BULK_FILTER_MAX_QUERY_BYTES.key} (now " +
        s"${Sizes.show(SieveConf.bulkFilterMaxQueryBytes(conf))}), and the memory of the driver and " +
        "the executors if these are below; or compute the key in a subquery, and compare it in a " +
        "WHERE of its own above.")
  }

  private def describe(file: FileKeys): String = {
    val size = file.entry
      .flatMap(_.files)
      .map(files =>
        s" (${Sizes.show(files.map(_.bytes).sum)} in ${Numbers.counted(files.size.toLong, "file")})")
    s"${file.source.function} of ${file.source.label}${size.getOrElse("")}"
  }
}
