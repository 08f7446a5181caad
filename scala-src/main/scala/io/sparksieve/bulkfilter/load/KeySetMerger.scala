// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import io.sparksieve.keyset.{KeySet, KeySetBuilder, KeySetBytes}

/**
 * Merges the keys that tasks have collected for one source. Serialised sets are decoded and merged
 * only if several tasks found keys: a small file is read by one task.
 */
private[bulkfilter] final class KeySetMerger(layout: KeyLayout, caps: Caps) {

  private var (rows, nulls, invalid) = (0L, 0L, 0L)
  private var over = false
  private var first: Array[Byte] = _
  private var builder: KeySetBuilder = _

  /** The first value found that is invalid for the key's type. */
  var bad: Option[BadValue] = None

  def add(part: KeyPart): Unit = {
    rows += part.rows
    nulls += part.nulls
    invalid += part.invalid
    bad = bad.orElse(part.bad)
    part.keys match {
      case None =>
        over = true
        first = null
        builder = null
      case Some(keys) if !over && part.hasKeys =>
        if (first == null && builder == null) first = keys
        else {
          if (builder == null) {
            builder = layout.builder(caps)
            merge(first)
            first = null
          }
          merge(keys)
        }
      case _ =>
    }
  }

  private def merge(keys: Array[Byte]): Unit =
    if (!builder.gaveUp) builder.merge(KeySetBytes.decode(keys))

  /** The keys of all parts; None if they exceed the cap. */
  def keys: Option[KeySet] =
    if (over) None
    else if (first != null) Some(KeySetBytes.decode(first))
    else Option(builder).getOrElse(layout.builder(caps)).result()

  def stats(millis: Long): LoadStats = LoadStats(rows, nulls, invalid, millis)

  /** All parts merged into one. */
  def result: KeyPart = {
    val encoded = if (first != null) Some(first) else keys.map(KeySetBytes.encode)
    KeyPart(encoded, rows, nulls, invalid, bad)
  }
}
