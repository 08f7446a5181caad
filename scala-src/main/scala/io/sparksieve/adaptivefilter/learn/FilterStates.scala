// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.learn

import io.sparksieve.common.LastUsed

/**
 * The filter states of an executor, for the [[FilterStates.Max]] filters that were used last.
 * Running tasks keep a reference to their state; after it is evicted, later tasks begin a new one.
 */
private[sparksieve] object FilterStates {

  /** How many filters an executor remembers; a predicate whose parts have an order counts too. */
  val Max = 512

  private val states = new LastUsed[String, FilterState](Max)

  /** The state of the filter `key`; `make` creates it if there is none. */
  def apply(key: String)(make: => FilterState): FilterState = synchronized {
    val known = states.get(key)
    if (known != null) known
    else {
      val state = make
      states.put(key, state)
      state
    }
  }

  private[adaptivefilter] def size: Int = synchronized(states.size)

  /** Forgets everything: filters that are planned afterwards begin with their written order. */
  private[sparksieve] def clear(): Unit = synchronized(states.clear())
}
