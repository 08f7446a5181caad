// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.conf.SieveConf
import io.sparksieve.keyset.KeySetBuilder
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.longs.BloomCaps

/**
 * The limits on a set of keys. Beyond them the keys are kept as a Bloom filter or as ranges if
 * `beyond` allows that; otherwise they are dropped, and nothing is filtered.
 *
 * @param keys
 *   the most distinct keys of an exact set
 * @param bytes
 *   the most bytes of memory of an exact set
 * @param timeoutMs
 *   the most milliseconds that operators wait for the keys
 * @param broadcastMs
 *   the most milliseconds that operators below a broadcast wait for them: a tenth of the time after
 *   which Spark fails a query whose broadcast is not there
 * @param beyond
 *   the limits of a Bloom filter
 */
private[dynamicfilter] final case class KeyCaps(
    keys: Int,
    bytes: Long,
    timeoutMs: Long,
    broadcastMs: Long,
    beyond: Option[BloomCaps]) {

  /** A builder of a set of keys of that type within these caps. */
  def builder(keyType: DataType): KeySetBuilder =
    KeySets.builder(Seq(keyType), keys.toLong, bytes, beyond)

  /**
   * The caps of each of `parts` parts of the keys. If Bloom filters of all parts would be more than
   * half of what Spark lets tasks return, parts beyond the caps of an exact set are only ranges.
   *
   * @param maxResultBytes
   *   the most bytes that the tasks of a job may return together; 0 for no limit
   */
  def ofParts(parts: Int, maxResultBytes: Long): KeyCaps = beyond match {
    case Some(bloom) if maxResultBytes > 0 && bloom.bytes > maxResultBytes / 2 / parts.max(1) =>
      copy(beyond = Some(bloom.copy(keys = 1)))
    case _ => this
  }
}

private[dynamicfilter] object KeyCaps {

  def apply(conf: SQLConf): KeyCaps = {
    val timeoutMs = SieveConf.dynamicFilterTimeoutMs(conf).toLong
    KeyCaps(
      SieveConf.dynamicFilterMaxKeys(conf),
      SieveConf.dynamicFilterMaxKeySetBytes(conf),
      timeoutMs,
      // Spark counts in seconds, up to the greatest long if there is no limit.
      math.min(timeoutMs, math.min(conf.broadcastTimeout, Int.MaxValue.toLong) * 100),
      if (!SieveConf.dynamicFilterBloom(conf)) None
      else
        Some(
          BloomCaps(
            SieveConf.dynamicFilterBloomMaxKeys(conf).toLong,
            SieveConf.dynamicFilterBloomMaxBytes(conf)))
    )
  }
}
