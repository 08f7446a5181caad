// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer

import scala.reflect.ClassTag

import org.apache.spark.SparkEnv

/**
 * Turns objects into bytes with Java serialization, whatever `spark.serializer` is: Kryo refuses
 * classes that are not registered if `spark.kryo.registrationRequired` is set, but takes bytes.
 */
private[sparksieve] object JavaBytes {

  /** @param expected about how many bytes the result has */
  def encode[T: ClassTag](value: T, expected: Long = 1024): Array[Byte] = {
    // Large enough for most, because a buffer that grows takes several times the bytes.
    val buffer = new ByteArrayOutputStream(math.min(expected, LargestFirst).toInt)
    val stream = SparkEnv.get.closureSerializer.newInstance().serializeStream(buffer)
    stream.writeObject[T](value)
    stream.close()
    buffer.toByteArray
  }

  def decode[T: ClassTag](bytes: Array[Byte]): T =
    SparkEnv.get.closureSerializer
      .newInstance()
      .deserialize[T](ByteBuffer.wrap(bytes), getClass.getClassLoader)

  private final val LargestFirst = 64L << 20
}
