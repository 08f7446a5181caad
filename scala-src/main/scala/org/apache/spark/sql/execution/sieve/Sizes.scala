// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.execution.sieve

import org.apache.spark.util.Utils

/** Formats sizes as Spark does, with a method that is private to Spark. */
object Sizes {

  /** Formats a number of bytes, for example as `16.0 KiB`. */
  def show(bytes: Long): String = Utils.bytesToString(bytes)
}
