// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.SparkSession

import io.sparksieve.compat.SparkCompat

/**
 * The session's configs, which may change what Spark's readers return: for example whether corrupt
 * files are ignored, or how old dates are read. Values that were read under other configs are read
 * again. Spark has no list of the configs that matter to readers, so all count, except Sieve's own.
 */
private[bulkfilter] object ReadSettings {

  /** A digest of the configs. */
  def apply(session: SparkSession): String = {
    val all = SparkCompat.conf(session).getAllConfs.toSeq
    DigestUtils.sha256Hex(all.filterNot(_._1.startsWith("spark.sieve.")).sorted.mkString("\n"))
  }
}
