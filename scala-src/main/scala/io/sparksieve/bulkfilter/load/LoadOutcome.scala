// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import io.sparksieve.keyset.{KeySet, SharedKeys}

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

/** The values: the set on the driver, and its broadcast for tasks. */
private[bulkfilter] final class LoadedKeys(
    val keys: KeySet,
    val shared: SharedKeys,
    val stats: LoadStats)
    extends LoadOutcome

/**
 * The values exceed the memory cap.
 *
 * @param cap
 *   the cap in bytes
 */
private[bulkfilter] final case class OverCap(cap: Long) extends LoadOutcome
