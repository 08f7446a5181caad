// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.util.{LinkedHashMap, Map => JavaMap}

/** An LRU map that keeps the `max` most recently put or read entries. It is not thread-safe. */
private[sparksieve] final class LastUsed[K, V](max: Int)
    extends LinkedHashMap[K, V](16, 0.75f, true) {

  override def removeEldestEntry(eldest: JavaMap.Entry[K, V]): Boolean = size > max
}
