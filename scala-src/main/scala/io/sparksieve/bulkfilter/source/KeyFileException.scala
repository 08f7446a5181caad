// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import org.apache.spark.sql.AnalysisException

/**
 * Thrown for a call of in_file or in_table that cannot be evaluated. The message gives the cause
 * and a remedy.
 */
final class KeyFileException(message: String, cause: Option[Throwable] = None)
    extends AnalysisException(
      // The message of this error condition is its parameter. PySpark 4 fails on a DataFrame error
      // that has no error condition.
      errorClass = "_LEGACY_ERROR_TEMP_1332",
      messageParameters = Map("errorMessage" -> message),
      cause = cause
    )

private[bulkfilter] object KeyFileException {

  /** Rejects a call of `function`. */
  def fail(function: String, message: String, cause: Throwable = null): Nothing =
    throw new KeyFileException(s"$function: $message", Option(cause))
}
