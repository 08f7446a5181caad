package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf

/**
 * What a set of keys may take before collecting it is given up.
 *
 * @param keys
 *   distinct keys
 * @param bytes
 *   bytes of memory
 * @param timeoutMs
 *   milliseconds that those who need the keys wait for them
 */
final case class KeyCaps(keys: Int, bytes: Long, timeoutMs: Int)

object KeyCaps {

  def apply(conf: SQLConf): KeyCaps =
    KeyCaps(
      SieveConf.dynamicFilterMaxKeys(conf),
      SieveConf.dynamicFilterMaxKeySetBytes(conf),
      SieveConf.dynamicFilterTimeoutMs(conf))
}
