package io.sparksieve.bulkfilter

import org.apache.spark.broadcast.Broadcast

import io.sparksieve.keyset.KeySet

/**
 * What reading a source gave.
 *
 * @param rows
 *   rows read
 * @param nulls
 *   of these, rows in which a value is NULL
 * @param invalid
 *   of these, rows in which a value is none of the key's type, and which were left out
 * @param millis
 *   milliseconds until the set was there
 */
final case class LoadStats(rows: Long, nulls: Long, invalid: Long, millis: Long)

sealed abstract class LoadOutcome

/** The values, on the driver and for tasks. */
final class LoadedKeys(val keys: KeySet, val shared: Broadcast[KeySet], val stats: LoadStats)
    extends LoadOutcome

/**
 * The values take more memory than they may.
 *
 * @param cap
 *   bytes
 */
final case class OverCap(cap: Long) extends LoadOutcome
