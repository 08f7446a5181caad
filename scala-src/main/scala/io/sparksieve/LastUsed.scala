package io.sparksieve

import java.util.{LinkedHashMap, Map => JavaMap}

/** A map that keeps the `max` entries that were put or asked for last. Not for several threads. */
private[sparksieve] final class LastUsed[K, V](max: Int)
    extends LinkedHashMap[K, V](16, 0.75f, true) {

  override def removeEldestEntry(eldest: JavaMap.Entry[K, V]): Boolean = size > max
}
