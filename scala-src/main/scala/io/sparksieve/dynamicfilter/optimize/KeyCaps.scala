// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.conf.SieveConf
import io.sparksieve.keyset.KeySetBuilder

/**
 * The limits on a set of keys. Beyond them the keys are dropped and nothing is filtered.
 *
 * @param keys
 *   the most distinct keys
 * @param bytes
 *   the most bytes of memory
 * @param timeoutMs
 *   the most milliseconds that operators wait for the keys
 */
private[dynamicfilter] final case class KeyCaps(keys: Int, bytes: Long, timeoutMs: Int) {

  /** A builder of a set of keys of that type that stops collecting beyond these caps. */
  def builder(keyType: DataType): KeySetBuilder = KeySetBuilder(Seq(keyType), keys.toLong, bytes)
}

private[dynamicfilter] object KeyCaps {

  def apply(conf: SQLConf): KeyCaps =
    KeyCaps(
      SieveConf.dynamicFilterMaxKeys(conf),
      SieveConf.dynamicFilterMaxKeySetBytes(conf),
      SieveConf.dynamicFilterTimeoutMs(conf))
}
