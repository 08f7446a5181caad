// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.table

/** Bytes that objects take on a 64-bit JVM with compressed references, as Spark estimates them. */
private[keyset] object Footprint {

  /** The greatest array length that every JVM supports. */
  final val LongestArray = Int.MaxValue - 15L

  private final val ObjectHeader = 12L
  private final val ArrayHeader = 16L

  /** Bytes of an object with this number of fields of each kind. */
  def shell(longs: Int = 0, references: Int = 0, ints: Int = 0): Long =
    aligned(ObjectHeader + 8L * longs + 4L * (references + ints))

  def longs(length: Long): Long = ArrayHeader + 8 * length

  def ints(length: Long): Long = aligned(ArrayHeader + 4 * length)

  def bytes(length: Long): Long = aligned(ArrayHeader + length)

  private def aligned(bytes: Long): Long = bytes + 7 & ~7L
}
