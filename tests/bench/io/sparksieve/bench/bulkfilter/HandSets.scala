// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import scala.collection.mutable

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.functions.udf

import io.sparksieve.bench.Bench

/**
 * The alternative to Sieve written by hand: broadcast sets of primitive keys, probed by Scala UDFs.
 */
object HandSets {

  private val made = mutable.Map.empty[String, Broadcast[LongHashSet]]

  /**
   * Reads the files of `leaves` and registers the functions `hand_<number>`.
   *
   * @param anew
   *   whether to read files again that have been read before
   */
  def register(data: Data, leaves: Seq[Int], anew: Boolean)(bench: Bench): Unit =
    leaves.foreach { i =>
      val session = bench.extended
      val path = data.path(i)
      if (anew) made.remove(path).foreach(_.destroy())
      val set = made.getOrElseUpdate(
        path, {
          val keys = session.read.parquet(path).collect().map(_.getLong(0))
          session.sparkContext.broadcast(new LongHashSet(keys))
        })
      session.udf.register(s"hand_$i", udf((key: Long) => set.value.contains(key)))
      ()
    }

  /** A hash set with open addressing and linear probing, between a quarter and half full. */
  final class LongHashSet(keys: Array[Long]) extends Serializable {

    private val slots = new Array[Long](Integer.highestOneBit(keys.length.max(1)) * 4)
    private var hasZero = false
    keys.foreach(add)

    private def place(key: Long): Int = {
      val mixed = key * 0x9e3779b97f4a7c15L
      (mixed ^ (mixed >>> 32)).toInt & (slots.length - 1)
    }

    private def add(key: Long): Unit =
      if (key == 0) hasZero = true
      else {
        var at = place(key)
        while (slots(at) != 0 && slots(at) != key) at = (at + 1) & (slots.length - 1)
        slots(at) = key
      }

    def contains(key: Long): Boolean =
      if (key == 0) hasZero
      else {
        var at = place(key)
        while (slots(at) != 0 && slots(at) != key) at = (at + 1) & (slots.length - 1)
        slots(at) == key
      }
  }
}
