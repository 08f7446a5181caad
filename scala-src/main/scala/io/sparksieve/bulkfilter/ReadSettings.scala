package io.sparksieve.bulkfilter

import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.SparkSession

import io.sparksieve.SparkCompat

/**
 * What a session has set, and Spark's readers may go by: whether corrupt files are left out, say, or
 * how old dates are read. Values that were read under other settings are read again; Spark has no
 * list of those that count, so that all do but Sieve's own.
 */
private[bulkfilter] object ReadSettings {

  /** Stands for all of them. */
  def apply(session: SparkSession): String = {
    val all = SparkCompat.conf(session).getAllConfs.toSeq
    DigestUtils.sha256Hex(all.filterNot(_._1.startsWith("spark.sieve.")).sorted.mkString("\n"))
  }
}
