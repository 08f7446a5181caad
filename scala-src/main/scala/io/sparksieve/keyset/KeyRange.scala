package io.sparksieve.keyset

/** The encoded longs from `low` to `high`, both included. */
final case class KeyRange(low: Long, high: Long) {

  /** Whether it is one key. */
  def isPoint: Boolean = low == high
}
