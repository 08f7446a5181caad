// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.execution.sieve

import org.apache.spark.rdd.InputFileBlockHolder

/** The file that a task is reading, from a class that is private to Spark. */
object InputFile {

  /** The path of the file, as the reader sets it; empty if the task reads no file. */
  def apply(): String = InputFileBlockHolder.getInputFilePath.toString
}
