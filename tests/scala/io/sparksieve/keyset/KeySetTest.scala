// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{DataType, LongType}

import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.longs.LongKeySet

/** Builds sets of given keys, and the keys to test them with. */
trait KeySetTest extends AnyFunSuite {

  protected val Unlimited: Long = Long.MaxValue

  protected def builder(
      types: Seq[DataType],
      maxKeys: Long = Unlimited,
      maxBytes: Long = Unlimited): KeySetBuilder =
    KeySets.builder(types, maxKeys, maxBytes)

  /** The set of `values` of one type, in Spark's internal form; null is NULL. */
  protected def setOf(dataType: DataType, values: Iterable[Any]): KeySet = {
    val keys = builder(Seq(dataType))
    values.foreach(v => keys.add(InternalRow(v)))
    keys.result().get
  }

  protected def longs(keys: Iterable[Long]): LongKeySet = {
    val collected = builder(Seq(LongType))
    keys.foreach(collected.addLong)
    collected.result().get.asInstanceOf[LongKeySet]
  }

  protected def keysOf(set: LongKeySet): Seq[Long] = {
    val keys = Seq.newBuilder[Long]
    set.forEach(key => keys += key)
    keys.result()
  }

  /**
   * Keys in every arrangement that matters: a name, the keys (some more than once, in no order)
   * and the expected kind of their set.
   */
  protected lazy val arrangements: Seq[(String, Seq[Long], String)] = {
    val random = new Random(20260101)
    def some(n: Int)(key: => Long) = Seq.fill(n)(key)
    def twice(keys: Seq[Long]) = random.shuffle(keys ++ keys.take(keys.length / 3))
    val (low, high) = (Long.MinValue, Long.MaxValue)
    Seq(
      ("none", Nil, "empty"),
      ("zero", Seq(0L), "range"),
      ("one", Seq(-42L, -42L), "range"),
      ("the least long", Seq(low), "range"),
      ("the greatest long", Seq(high), "range"),
      ("both ends", Seq(low, high), "hash64"),
      ("both ends and what marks free slots", Seq(low, high, 0L, 1L, -1L), "hash64"),
      ("both ends of the ints", Seq(Int.MinValue.toLong, Int.MaxValue.toLong), "hash64"),
      ("just within 32 bits", Seq(0L, 0xfffffffeL, 77L), "hash32"),
      ("just not within 32 bits", Seq(0L, 0xffffffffL, 77L), "hash64"),
      ("within 32 bits, at the top", Seq(high, high - 0xfffffffeL, high - 5), "hash32"),
      ("within 32 bits, at the bottom", Seq(low, low + 0xfffffffeL, low + 5), "hash32"),
      ("contiguous", twice(-500L to 500L), "range"),
      ("contiguous to the end", twice((high - 100) until high) :+ high, "range"),
      ("contiguous from the start", twice(low to low + 100), "range"),
      ("all but one", twice((0L to 1000L).filter(_ != 63)), "bitset"),
      ("every third", twice(-900L to 900L by 3L), "bitset"),
      ("dense at the top", twice((0L to 300L).filter(_ % 7 != 1).map(high - _)), "bitset"),
      ("dense at the bottom", twice((0L to 300L).filter(_ % 7 != 1).map(low + _)), "bitset"),
      ("ints", twice(some(5000)(random.nextInt().toLong)), "hash32"),
      ("longs", twice(some(5000)(random.nextLong())), "hash64"),
      ("clusters", twice(some(20)(random.nextLong() >> 2).flatMap(k => k to k + 50)), "hash64")
    ) ++
      Seq(8, 16, 20, 31)
        .map(k => (s"strided by 2^$k", twice((0L to 999L).map(_ << k)), "hash32"))
        .map {
          case (name, keys, _) if keys.max > 0xfffffffeL => (name, keys, "hash64")
          case (name, keys, _) => (name, keys, "hash32")
        } ++
      Seq(33, 40, 53).map(k => (s"strided by 2^$k", twice((-999L to 999L).map(_ << k)), "hash64"))
  }

  /** Keys to look up: `keys`, longs near them and near the ends of the types, and random longs. */
  protected def probes(keys: Seq[Long]): Seq[Long] = {
    val random = new Random(keys.length)
    val ends = Seq(Long.MinValue, Long.MaxValue, Int.MinValue.toLong, Int.MaxValue.toLong, 0L)
    val near = (keys ++ ends).flatMap(k => Seq(k - 1, k, k + 1, k + (1L << 32), k - (1L << 32), ~k))
    near ++ Seq.fill(1000)(random.nextLong()) ++ Seq.fill(1000)(random.nextInt().toLong)
  }
}
