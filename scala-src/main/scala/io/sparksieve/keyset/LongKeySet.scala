package io.sparksieve.keyset

import java.util.function.LongConsumer

/**
 * Keys of one column of a type that has an order-preserving encoding as a long, a
 * [[LongKeyType]]: every key here is such an encoded long.
 */
abstract class LongKeySet extends KeySet {

  /**
   * Whether `key` is a member. Allocates nothing. Generated code does best to call it on the
   * set's own class: the call is then bound when the code is compiled.
   */
  def contains(key: Long): Boolean

  /** The least key; NoSuchElementException if there is none. */
  def min: Long

  /** The greatest key; NoSuchElementException if there is none. */
  def max: Long

  /** Gives every key once, in an order of the set's own. */
  def forEach(consumer: LongConsumer): Unit

  /** The keys in ascending order; 8 bytes a key. At most about 2 billion keys. */
  def sorted: Array[Long]

  /**
   * At most `atMost` disjoint ranges, ascending, that cover every key and of all such covers the
   * least. Adjacent keys share a range, so there may be fewer than asked for; none if the set is
   * empty. Hashed sets sort a copy of their keys: 8 bytes a key for the time of the call.
   *
   * @throws IllegalArgumentException
   *   if `atMost` is below 1
   */
  def ranges(atMost: Int): Seq[KeyRange]
}
