package io.sparksieve.bulkfilter

import io.sparksieve.dynamicfilter.KeySetBytes
import io.sparksieve.keyset.{KeySet, KeySetBuilder}

/**
 * Puts together what tasks have read for one source. Sets are taken apart only where several tasks
 * have found keys: a small file is read by one.
 */
private[bulkfilter] final class KeyParts(layout: KeyLayout, caps: Caps) {

  private var (rows, nulls, invalid) = (0L, 0L, 0L)
  private var over = false
  private var first: Array[Byte] = _
  private var builder: KeySetBuilder = _

  /** A value that is none of the key's type. */
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

  /** The keys of all parts; None if they take more than the cap. */
  def keys: Option[KeySet] =
    if (over) None
    else if (first != null) Some(KeySetBytes.decode(first))
    else Option(builder).getOrElse(layout.builder(caps)).result()

  def stats(millis: Long): LoadStats = LoadStats(rows, nulls, invalid, millis)

  /** All parts as one. */
  def result: KeyPart = {
    val encoded = if (first != null) Some(first) else keys.map(KeySetBytes.encode)
    KeyPart(encoded, rows, nulls, invalid, bad)
  }
}
