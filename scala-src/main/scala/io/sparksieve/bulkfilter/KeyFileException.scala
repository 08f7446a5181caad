package io.sparksieve.bulkfilter

import org.apache.spark.sql.AnalysisException

/** A call of in_file or in_table that cannot be answered; the message says why and the way out. */
final class KeyFileException(message: String, cause: Option[Throwable] = None)
    extends AnalysisException(
      // The condition whose message is its parameter: PySpark 4 fails at an error of a DataFrame's
      // that has none.
      errorClass = "_LEGACY_ERROR_TEMP_1332",
      messageParameters = Map("errorMessage" -> message),
      cause = cause
    )

private[bulkfilter] object KeyFileException {

  /** Refuses a call of `function`. */
  def fail(function: String, message: String, cause: Throwable = null): Nothing =
    throw new KeyFileException(s"$function: $message", Option(cause))
}
