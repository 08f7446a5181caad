// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer

import org.apache.spark.SparkEnv

/** Serialises sets of keys to send them from the tasks to the driver. */
private[sparksieve] object KeySetBytes {

  def encode(keys: KeySet): Array[Byte] = {
    // Large enough for most, because a buffer that grows takes several times the bytes.
    val buffer = new ByteArrayOutputStream(math.min(keys.byteSize + 1024, LargestFirst).toInt)
    val stream = SparkEnv.get.closureSerializer.newInstance().serializeStream(buffer)
    stream.writeObject[KeySet](keys)
    stream.close()
    buffer.toByteArray
  }

  private final val LargestFirst = 64L << 20

  def decode(bytes: Array[Byte]): KeySet =
    SparkEnv.get.closureSerializer
      .newInstance()
      .deserialize[KeySet](ByteBuffer.wrap(bytes), getClass.getClassLoader)
}
