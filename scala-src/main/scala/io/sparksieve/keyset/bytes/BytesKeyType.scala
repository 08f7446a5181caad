// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.bytes

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.{KeySet, KeyType}
import io.sparksieve.keyset.encoding.DecimalKeys
import io.sparksieve.keyset.table.BytesConsumer

/**
 * A type whose values are encoded as bytes. The bytes are equal if and only if the values are
 * equal, and their unsigned order is the type's order. Strings are held as their UTF-8 bytes,
 * decimals as [[DecimalKeys.bytes]] encodes them.
 */
private[sparksieve] abstract class BytesKeyType(override val dataType: DataType) extends KeyType {

  /**
   * Passes the bytes of the value at `ordinal`, which must not be NULL, to `consumer`. The consumer
   * must read them during the call.
   */
  def encode(row: SpecializedGetters, ordinal: Int, consumer: BytesConsumer): Unit

  /** The value, in Spark's internal form, that is encoded as `key`. */
  def decode(key: Array[Byte]): Any
}

private[keyset] object BytesKeyType {

  final class OfString extends BytesKeyType(StringType) {
    override def encode(row: SpecializedGetters, i: Int, consumer: BytesConsumer): Unit = {
      val s = row.getUTF8String(i)
      consumer.accept(s.getBaseObject, s.getBaseOffset, s.numBytes)
    }
    override def contains(keys: KeySet, row: SpecializedGetters, i: Int): Boolean =
      keys.asInstanceOf[BytesKeySet].contains(row.getUTF8String(i))
    override def decode(key: Array[Byte]): Any = UTF8String.fromBytes(key)
    override def containsCode(keys: String, value: String): String = s"$keys.contains($value)"
  }

  final class OfBinary extends BytesKeyType(BinaryType) {
    override def encode(row: SpecializedGetters, i: Int, consumer: BytesConsumer): Unit = {
      val bytes = row.getBinary(i)
      consumer.accept(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length)
    }
    override def contains(keys: KeySet, row: SpecializedGetters, i: Int): Boolean =
      keys.asInstanceOf[BytesKeySet].contains(row.getBinary(i))
    override def decode(key: Array[Byte]): Any = key
    override def containsCode(keys: String, value: String): String = s"$keys.contains($value)"
  }

  final class OfDecimal(decimals: DecimalType) extends BytesKeyType(decimals) {
    private def bytes(row: SpecializedGetters, i: Int) =
      DecimalKeys.bytes(row.getDecimal(i, decimals.precision, decimals.scale), decimals.scale)
    override def encode(row: SpecializedGetters, i: Int, consumer: BytesConsumer): Unit = {
      val key = bytes(row, i)
      consumer.accept(key, Platform.BYTE_ARRAY_OFFSET, key.length)
    }
    override def contains(keys: KeySet, row: SpecializedGetters, i: Int): Boolean =
      keys.asInstanceOf[BytesKeySet].contains(bytes(row, i))
    override def decode(key: Array[Byte]): Any =
      DecimalKeys.decimal(key, decimals.precision, decimals.scale)
    override def containsCode(keys: String, value: String): String =
      s"$keys.contains(${DecimalKeys.ClassName}.bytes($value, ${decimals.scale}))"
  }
}
