package io.sparksieve.keyset

/** The encoded longs from `low` to `high`, both included. */
private[sparksieve] final case class KeyRange(low: Long, high: Long) {

  /** Whether the range has exactly one key. */
  def isPoint: Boolean = low == high
}
