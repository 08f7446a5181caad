package io.sparksieve.dynamicfilter.exec

import org.apache.spark.broadcast.Broadcast

import io.sparksieve.keyset.KeySet

/**
 * Collected keys, on the driver.
 *
 * @param shared
 *   the same keys as a broadcast for the tasks: a set may be too large to be sent with each task
 */
private[exec] final case class CollectedKeys(keys: KeySet, shared: Broadcast[KeySet])
