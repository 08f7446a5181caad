// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import io.sparksieve.keyset.SharedKeys

/**
 * Statistics of reading a source.
 *
 * @param rows
 *   rows read
 * @param nulls
 *   of these, rows in which a value is NULL
 * @param invalid
 *   of these, rows that were skipped because a value is invalid for the key's type
 * @param millis
 *   milliseconds until the set was built
 */
private[load] final case class LoadStats(rows: Long, nulls: Long, invalid: Long, millis: Long)

private[load] sealed abstract class LoadOutcome

/** The values. */
private[bulkfilter] final case class LoadedKeys(shared: SharedKeys, stats: LoadStats)
    extends LoadOutcome

/**
 * The values exceed the memory cap.
 *
 * @param cap
 *   the cap in bytes
 */
private[bulkfilter] final case class OverCap(cap: Long) extends LoadOutcome
