// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.SparkConf
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession

import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * Limits on the memory that values may take.
 *
 * @param leafBytes
 *   bytes of one set while it is being built
 * @param queryBytes
 *   bytes of all sets of a query
 * @param cacheBytes
 *   bytes of the sets that are kept for later queries of the session
 * @param allCachesBytes
 *   bytes of the sets that are kept for later queries of all sessions
 * @param resultBytes
 *   bytes that the tasks of one job may send to the driver
 */
private[bulkfilter] final case class Caps(
    leafBytes: Long,
    queryBytes: Long,
    cacheBytes: Long,
    allCachesBytes: Long,
    resultBytes: Long)

private[bulkfilter] object Caps {

  /** The limits by config, each at most a fraction of the memory of the driver or an executor. */
  def apply(session: SparkSession): Caps = {
    val conf = SparkCompat.conf(session)
    val spark = session.sparkContext.getConf
    val driver = Runtime.getRuntime.maxMemory
    val leaf = Seq(
      SieveConf.bulkFilterMaxLeafBytes(conf),
      driver / 4,
      executorBytes(spark, session.sparkContext.isLocal) / (2 * slots(session))).min
    val query = math.min(SieveConf.bulkFilterMaxQueryBytes(conf), driver / 3)
    val results = JavaUtils.byteStringAsBytes(spark.get("spark.driver.maxResultSize", "1g"))
    Caps(
      math.max(1, leaf),
      math.max(1, query),
      math.min(SieveConf.bulkFilterMaxCacheBytes(conf), driver / 4),
      driver / 4,
      if (results <= 0) Long.MaxValue else results / 2)
  }

  private def executorBytes(conf: SparkConf, isLocal: Boolean) =
    if (isLocal) Runtime.getRuntime.maxMemory
    else conf.getSizeAsBytes("spark.executor.memory", "1g")

  /** The number of tasks that an executor runs at a time. */
  private def slots(session: SparkSession): Int = {
    val conf = session.sparkContext.getConf
    if (session.sparkContext.isLocal) session.sparkContext.defaultParallelism
    else conf.getInt("spark.executor.cores", math.max(1, session.sparkContext.defaultParallelism))
  }
}
