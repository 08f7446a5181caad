package org.apache.spark.sql.execution.sieve

import org.apache.spark.util.Utils

/** Sizes as Spark shows them, by a method that is private to Spark. */
object Sizes {

  /** Such as `16.0 KiB`. */
  def show(bytes: Long): String = Utils.bytesToString(bytes)
}
