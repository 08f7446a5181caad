// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.{LinkedHashMap, Map => JavaMap}

/** An LRU map that keeps the `max` most recently put or read entries. It is not thread-safe. */
private[sparksieve] class LastUsed[K, V](max: Int) extends LinkedHashMap[K, V](16, 0.75f, true) {

  override def removeEldestEntry(eldest: JavaMap.Entry[K, V]): Boolean = size > max
}

/** A value of [[LastUsedWithin]]. */
private[sparksieve] trait HasBytes {

  /** An estimate of the memory that the value takes, in bytes; cheap, and always the same. */
  def bytes: Long
}

/**
 * A [[LastUsed]] that keeps fewer entries if their values take more than `maxBytes`, but always the
 * last.
 */
private[sparksieve] final class LastUsedWithin[K, V <: HasBytes](max: Int, maxBytes: Long)
    extends LastUsed[K, V](max) {

  override def put(key: K, value: V): V = {
    val before = super.put(key, value)
    var total = 0L
    values.forEach(v => total += v.bytes)
    val eldest = values.iterator
    while (total > maxBytes && size > 1) {
      total -= eldest.next().bytes
      eldest.remove()
    }
    before
  }
}
