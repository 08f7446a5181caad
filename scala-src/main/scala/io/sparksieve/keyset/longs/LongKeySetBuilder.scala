// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.longs

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow

import io.sparksieve.keyset.{KeySet, KeySetBuilder}
import io.sparksieve.keyset.table.{Footprint, HashOrder, Hashing, LongTable}

/**
 * Builds a [[LongKeySet]]. Keys are first appended to an array. If they stay few for the cap, the
 * set is built from that array. If the first keys have many duplicates, or the array reaches its
 * limit, the keys move to a hash table, in the order of its slots ([[HashOrder]]). From then on, up
 * to three times as many keys as the table holds wait in the array before they are moved.
 *
 * @param beyond
 *   if given, the builder does not give up at a cap: all keys move to a [[BloomKeySetBuilder]],
 *   whose memory is counted apart, and further ones go there
 */
private[keyset] final class LongKeySetBuilder(
    keyType: LongKeyType,
    maxKeys: Long,
    maxBytes: Long,
    beyond: Option[BloomCaps])
    extends KeySetBuilder {

  import LongKeySetBuilder._

  // Whether a cap of the exact set was met.
  private var over = false
  // The keys if `over`; null if they were dropped.
  private var bloom: BloomKeySetBuilder = _
  // Allocated only when keys are first moved from the array.
  private var table: LongTable = _
  private var tabled = 0L
  private var waiting = Array.emptyLongArray
  private var held = 0
  private var low = Long.MaxValue
  private var high = Long.MinValue

  override def add(row: InternalRow): Unit =
    if (!row.isNullAt(0)) addLong(keyType.encode(row, 0))

  override def addLong(key: Long): Unit = {
    if (key < low) low = key
    if (key > high) high = key
    if (!over && held == waiting.length) makeRoom()
    if (!over) {
      waiting(held) = key
      held += 1
      // Settle at once, so that a caller that checks `gaveUp` stops adding keys as soon as
      // there are too many.
      if (tabled + held > maxKeys) settle()
    } else if (bloom != null) bloom.add(key)
  }

  /** Makes room in the array: grows it, moves its keys to the table, or gives up. */
  private def makeRoom(): Unit = {
    val none = waiting.length == 0
    val wanted = if (none) FirstWaiting else 2L * waiting.length
    // The table needs most of the memory, so the array gets at most a sixteenth.
    val fits = none || Footprint.longs(wanted) <= maxBytes / 16 && mayWait(wanted)
    if (fits && bytes + Footprint.longs(wanted) <= maxBytes)
      waiting = Arrays.copyOf(waiting, wanted.toInt)
    else if (none) giveUp()
    else settle()
  }

  private def mayWait(keys: Long): Boolean =
    keys <= MostAtFirst || keys <= Footprint.LongestArray &&
      (if (table == null) keys > 2 * MostAtFirst || areDistinct else keys <= 3 * tabled)

  /** Whether at least three quarters of the waiting keys are distinct. */
  private def areDistinct: Boolean = {
    val some = new LongTable
    some.growTo(some.grownCapacity(held.toLong).toInt)
    var i = 0
    while (i < held) {
      some.add(waiting(i))
      i += 1
    }
    some.size >= held / 4 * 3
  }

  private def bytes =
    (if (table == null) 0L else table.byteSize) +
      (if (waiting.length == 0) 0L else Footprint.longs(waiting.length))

  /** Moves the waiting keys to the table; gives up if a cap does not allow it. */
  private def settle(): Unit = if (held > 0) {
    if (table == null && bytes + LongTable.FirstBytes <= maxBytes) table = new LongTable
    if (table == null) giveUp()
    else {
      val keys = tabled + held
      if (table.hasRoomFor(keys) || grow(keys)) addAll()
      else addWhileThereIsRoom()
      held = 0
      if (!over) tabled = table.size
      if (tabled > maxKeys) giveUp()
    }
  }

  private def addAll(): Unit = {
    val ordered =
      if (bytes + HashOrder.bytes(held.toLong) > maxBytes) waiting
      else HashOrder(waiting, held, Hashing.BuildSalt)
    var i = 0
    while (i < held) {
      table.add(ordered(i))
      i += 1
    }
  }

  /**
   * Adds the waiting keys one by one, for the case that the table cannot grow enough for all of
   * them if they are distinct. They are not ordered: in slot order, keys crowd into the front of a
   * table that still grows.
   */
  private def addWhileThereIsRoom(): Unit = {
    var i = 0
    while (i < held && !over) {
      val key = waiting(i)
      if (!table.isFull || table.contains(key) || grow(table.size + 1)) table.add(key)
      else giveUp()
      i += 1
    }
  }

  /** Grows the table to hold `keys` keys in total; false if the cap does not allow it. */
  private def grow(keys: Long): Boolean = {
    val capacity = table.grownCapacity(keys)
    val allowed =
      capacity <= Footprint.LongestArray && bytes + Footprint.longs(capacity) <= maxBytes
    if (allowed) table.growTo(capacity.toInt)
    allowed
  }

  /** Moves the keys to a Bloom filter, or drops them. */
  private def giveUp(): Unit = {
    if (!over) beyond.foreach { caps =>
      bloom = new BloomKeySetBuilder(caps)
      if (table != null) table.forEach(key => bloom.add(key))
      var i = 0
      while (i < held) {
        bloom.add(waiting(i))
        i += 1
      }
    }
    over = true
    table = null
    tabled = 0
    waiting = Array.emptyLongArray
    held = 0
  }

  override def merge(other: KeySet): Unit = other match {
    case _: EmptyKeySet => ()
    case longs: LongKeySet =>
      if (longs.min < low) low = longs.min
      if (longs.max > high) high = longs.max
      // A set has distinct keys, so its size alone shows that they do not fit.
      if (longs.size > maxKeys) giveUp()
      if (!over) longs.forEach(key => addLong(key))
      else if (bloom != null) bloom.merge(longs)
    case many: LongKeyFilter if beyond.nonEmpty =>
      low = math.min(low, many.min)
      high = math.max(high, many.max)
      giveUp()
      if (bloom != null) bloom.merge(many)
    case _ => throw new IllegalArgumentException(s"Longs cannot take keys held as ${other.kind}.")
  }

  override def mergeGivenUp(others: Option[(Long, Long)]): Unit = {
    over = true
    giveUp()
    bloom = null
    others.foreach { case (least, greatest) =>
      low = math.min(low, least)
      high = math.max(high, greatest)
    }
  }

  override def size: Long = {
    settle()
    if (bloom != null) bloom.size else tabled
  }

  override def gaveUp: Boolean = over && bloom == null

  // `low` is above `high` only if no key was received.
  override def bounds: Option[(Long, Long)] = if (low <= high) Some(low -> high) else None

  override def result(): Option[KeySet] = built(whole = true)

  override def part(): Option[KeySet] = built(whole = false)

  private def built(whole: Boolean): Option[KeySet] = exact().orElse {
    if (bloom == null) None else Some(bloom.result(low, high, whole))
  }

  private def exact(): Option[KeySet] = {
    val made =
      if (over) None
      else if (table == null && held == 0) Some(new EmptyKeySet)
      else if (table == null && bytes + LongKeySets.bytesFor(held.toLong) <= maxBytes)
        Some(LongKeySets.of(waiting, held, low, high, maxBytes - bytes))
      else {
        settle()
        waiting = Array.emptyLongArray
        if (over) None else LongKeySets.of(table, low, high, maxBytes - table.byteSize)
      }
    if (made.isEmpty) giveUp()
    made
  }
}

private object LongKeySetBuilder {

  final val FirstWaiting = 16L

  /** The array grows up to this many keys without a test for duplicates, if the cap allows. */
  final val MostAtFirst = 1L << 16
}
