package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.SieveConf
import io.sparksieve.keyset.KeySetBuilder

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
final case class KeyCaps(keys: Int, bytes: Long, timeoutMs: Int) {

  /** A builder of a set of keys of that type, which gives up at these caps. */
  def builder(keyType: DataType): KeySetBuilder = KeySetBuilder(Seq(keyType), keys.toLong, bytes)
}

object KeyCaps {

  def apply(conf: SQLConf): KeyCaps =
    KeyCaps(
      SieveConf.dynamicFilterMaxKeys(conf),
      SieveConf.dynamicFilterMaxKeySetBytes(conf),
      SieveConf.dynamicFilterTimeoutMs(conf))
}
