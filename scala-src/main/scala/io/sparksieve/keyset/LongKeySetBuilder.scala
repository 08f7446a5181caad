package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.InternalRow

/** Builds a [[LongKeySet]]. */
private[keyset] final class LongKeySetBuilder(keyType: LongKeyType, maxKeys: Long, maxBytes: Long)
    extends KeySetBuilder {

  private var over = false
  // None of its memory is used before the first key.
  private var table: LongTable = _
  private var low = Long.MaxValue
  private var high = Long.MinValue

  override def add(row: InternalRow): Unit =
    if (!row.isNullAt(0)) addLong(keyType.encode(row, 0))

  override def addLong(key: Long): Unit = {
    if (key < low) low = key
    if (key > high) high = key
    if (!over && (table == null || !table.contains(key))) insert(key)
  }

  private def insert(key: Long): Unit =
    if (size < maxKeys && hasRoom) table.add(key) else giveUp()

  private def hasRoom: Boolean =
    if (table == null) {
      val allowed = LongTable.FirstBytes <= maxBytes
      if (allowed) table = new LongTable
      allowed
    } else
      !table.isFull || {
        val allowed = table.byteSizeWhileGrowing <= maxBytes
        if (allowed) table.grow()
        allowed
      }

  private def giveUp(): Unit = {
    over = true
    table = null
  }

  override def merge(other: KeySet): Unit = other match {
    case _: EmptyKeySet => ()
    case longs: LongKeySet =>
      if (longs.min < low) low = longs.min
      if (longs.max > high) high = longs.max
      // Known without counting: as many distinct keys do not fit.
      if (longs.size > maxKeys) giveUp()
      if (!over) longs.forEach(key => addLong(key))
    case _ => throw new IllegalArgumentException(s"Longs cannot take keys held as ${other.kind}.")
  }

  override def mergeGivenUp(others: Option[(Long, Long)]): Unit = {
    giveUp()
    others.foreach { case (least, greatest) =>
      low = math.min(low, least)
      high = math.max(high, greatest)
    }
  }

  override def size: Long = if (table == null) 0 else table.size

  override def gaveUp: Boolean = over

  // Only where no key came are they the wrong way round.
  override def bounds: Option[(Long, Long)] = if (low <= high) Some(low -> high) else None

  override def result(): Option[KeySet] = {
    val made =
      if (over) None
      else if (table == null) Some(new EmptyKeySet)
      else LongKeySets.of(table, maxBytes - table.byteSize)
    if (made.isEmpty) giveUp()
    made
  }
}
