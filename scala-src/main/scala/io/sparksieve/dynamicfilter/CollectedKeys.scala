package io.sparksieve.dynamicfilter

import org.apache.spark.broadcast.Broadcast

import io.sparksieve.keyset.KeySet

/**
 * Keys that were collected, on the driver.
 *
 * @param shared
 *   the same for tasks: a set may be too large to be sent with each
 */
final case class CollectedKeys(keys: KeySet, shared: Broadcast[KeySet])
