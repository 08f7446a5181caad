// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.{APPEND, CREATE}
import java.time.LocalDate

/**
 * The file that keeps how many queries have been run in all: a line for each run with its day, the
 * Spark version (`3.5.9-2.12` with Scala 2.12), the feature, the seed, the queries and the
 * failures, separated by commas.
 */
object Counts {

  def add(
      file: Path,
      spark: String,
      feature: String,
      seed: Long,
      queries: Int,
      failed: Int): Unit = {
    val line = s"${LocalDate.now()},$spark,$feature,$seed,$queries,$failed\n"
    Files.writeString(file, line, CREATE, APPEND)
    ()
  }
}
