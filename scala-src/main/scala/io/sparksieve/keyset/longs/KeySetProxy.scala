// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.io.{Externalizable, ObjectInput, ObjectOutput}
import java.nio.ByteBuffer

/**
 * The serialised form of a hashed set for Java's serialisation. It has the keys alone, in the order
 * of their slots, so that the reader fills its new slots sequentially. A third of the slots is
 * usually free, so the keys take about two thirds of the bytes of the slots.
 */
private[keyset] final class KeySetProxy(private var set: HashedKeySet) extends Externalizable {

  import KeySetProxy._

  /** Called by Java's serialisation. */
  def this() = this(null)

  override def writeExternal(out: ObjectOutput): Unit = {
    val narrow = set.isInstanceOf[HashKeySet32]
    out.writeBoolean(narrow)
    Seq(set.size, set.min, set.max, set.free).foreach(v => out.writeLong(v))
    val keys = new Array[Long](Chunk)
    val buffer = ByteBuffer.allocate(8 * Chunk)
    var slot = 0
    while (slot < set.numSlots) {
      val until = math.min(slot.toLong + Chunk, set.numSlots.toLong).toInt
      val count = set.keysOf(slot, until, keys)
      if (narrow) {
        val least = set.min
        var i = 0
        while (i < count) {
          buffer.putInt(4 * i, (keys(i) - least).toInt)
          i += 1
        }
      } else buffer.asLongBuffer.put(keys, 0, count)
      out.write(buffer.array, 0, count * width(narrow))
      slot = until
    }
  }

  override def readExternal(in: ObjectInput): Unit = {
    val narrow = in.readBoolean()
    val (size, min, max, free) = (in.readLong(), in.readLong(), in.readLong(), in.readLong())
    val filling =
      if (narrow) new HashKeySet32.Filling(size, min, max)
      else new HashKeySet64.Filling(size, min, max, free)
    val keys = new Array[Long](Chunk)
    val buffer = ByteBuffer.allocate(8 * Chunk)
    var left = size
    while (left > 0) {
      val count = math.min(left, Chunk.toLong).toInt
      in.readFully(buffer.array, 0, count * width(narrow))
      if (narrow) {
        var i = 0
        while (i < count) {
          keys(i) = min + (buffer.getInt(4 * i) & 0xffffffffL)
          i += 1
        }
      } else buffer.asLongBuffer.get(keys, 0, count)
      filling.add(keys, count)
      left -= count
    }
    set = filling.result
  }

  private def readResolve(): AnyRef = set
}

private object KeySetProxy {

  /** Number of slots to write, or keys to read, at a time. */
  final val Chunk = 1 << 13

  def width(narrow: Boolean): Int = if (narrow) 4 else 8
}
