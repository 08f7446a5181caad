// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.nio.ByteBuffer

import org.apache.spark.SparkEnv

/** Serialises sets of keys to send them from the tasks to the driver. */
private[sparksieve] object KeySetBytes {

  def encode(keys: KeySet): Array[Byte] = {
    val buffer = SparkEnv.get.closureSerializer.newInstance().serialize[KeySet](keys)
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    bytes
  }

  def decode(bytes: Array[Byte]): KeySet =
    SparkEnv.get.closureSerializer
      .newInstance()
      .deserialize[KeySet](ByteBuffer.wrap(bytes), getClass.getClassLoader)
}
