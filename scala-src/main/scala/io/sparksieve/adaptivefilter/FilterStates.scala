package io.sparksieve.adaptivefilter

import io.sparksieve.LastUsed

/**
 * The states of an executor's filters, those of the [[FilterStates.Max]] filters that were used
 * last. Tasks that run hold on to theirs, so one that is forgotten is only begun anew by the next.
 */
object FilterStates {

  /** How many filters an executor remembers; parts of a predicate that have an order count too. */
  val Max = 512

  private val states = new LastUsed[String, FilterState](Max)

  /** The state of the filter `key`; made by `make` if there is none. */
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
