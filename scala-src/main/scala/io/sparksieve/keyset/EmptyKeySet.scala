package io.sparksieve.keyset

import java.util.function.LongConsumer

/** The empty set of keys that are held as longs. */
private[keyset] final class EmptyKeySet extends LongKeySet {

  override def contains(key: Long): Boolean = false

  override def size: Long = 0

  override def byteSize: Long = Footprint.shell()

  override def kind: String = "empty"

  override def min: Long = throw new NoSuchElementException("An empty key set has no least key.")

  override def max: Long = throw new NoSuchElementException("An empty key set has no greatest key.")

  override def forEach(consumer: LongConsumer): Unit = ()

  override def sorted: Array[Long] = Array.emptyLongArray

  override def ranges(atMost: Int): Seq[KeyRange] = new LargestGaps(atMost).ranges
}
