package org.apache.spark.sql.execution.sieve

import org.apache.spark.rdd.InputFileBlockHolder

/** The file that a task reads, by a class that is private to Spark. */
object InputFile {

  /** Its path as the reader has it; empty if the task reads none. */
  def apply(): String = InputFileBlockHolder.getInputFilePath.toString
}
