// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeProjection}
import org.apache.spark.sql.execution.sieve.InputFile
import org.apache.spark.sql.vectorized.{ColumnarArray, ColumnarBatch}

import io.sparksieve.common.JavaBytes
import io.sparksieve.keyset.KeySetBytes
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.longs.LongKeyType

/** A value that is invalid for the key's type. @param file empty if it was not read from a file */
private[bulkfilter] final case class BadValue(file: String, column: String, value: String)

/**
 * The values that one task has read for one source.
 *
 * @param keys
 *   the serialised set; None if it exceeds the cap
 */
private[bulkfilter] final case class KeyPart(
    keys: Option[Array[Byte]],
    rows: Long,
    nulls: Long,
    invalid: Long,
    bad: Option[BadValue]) {

  def hasKeys: Boolean = rows > nulls + invalid
}

/** Parts go through stages and to the driver as bytes, because Kryo may refuse their classes. */
private[bulkfilter] object KeyPart {

  /** @param parts those of one task, for each source one */
  def encode(parts: Seq[KeyPart]): Array[Byte] =
    JavaBytes.encode(parts, parts.flatMap(_.keys).map(_.length.toLong).sum + 1024)

  def decode(bytes: Array[Byte]): Seq[KeyPart] = JavaBytes.decode[Seq[KeyPart]](bytes)
}

/** Collects the values of one source from the rows of one task. */
private[bulkfilter] final class KeyCollector(layout: KeyLayout, caps: Caps) {

  private val source = layout.source
  private val width = source.columns.size
  private val keyTypes = source.keyTypes.map(KeyTypes.of(_).get)
  private val builder = layout.builder(caps)
  private var (rows, nulls, invalid) = (0L, 0L, 0L)
  private var bad: Option[BadValue] = None

  /** Whether more rows can still change the result. */
  def wants: Boolean = !builder.gaveUp && bad.isEmpty

  def add(row: InternalRow): Unit = if (wants) {
    rows += 1
    if (!hasNull(row)) put(row)
    else if (layout.checks.forall(row.getBoolean)) nulls += 1
    else if (source.skipsInvalid) invalid += 1
    else bad = Some(found(row))
  }

  /** Adds the rows of a batch. Its values must need no check. */
  def addBatch(batch: ColumnarBatch): Unit = keyTypes match {
    case Seq(longs: LongKeyType) => if (wants) addLongs(longs, batch)
    case _ =>
      val rows = batch.rowIterator
      while (rows.hasNext) add(rows.next())
  }

  private def addLongs(longs: LongKeyType, batch: ColumnarBatch): Unit = {
    val column = batch.column(layout.offset)
    val values = new ColumnarArray(column, 0, batch.numRows)
    var i = 0
    while (i < batch.numRows) {
      if (column.isNullAt(i)) nulls += 1
      else builder.addLong(longs.encode(values, i))
      i += 1
    }
    rows += batch.numRows
  }

  private def hasNull(row: InternalRow) = {
    var i = 0
    while (i < width && !row.isNullAt(layout.offset + i)) i += 1
    i < width
  }

  private val put: InternalRow => Unit = keyTypes match {
    case Seq(longs: LongKeyType) => row => builder.addLong(longs.encode(row, layout.offset))
    case _ if layout.offset == 0 => row => builder.add(row)
    case _ =>
      val mine = UnsafeProjection.create(source.keyTypes.zipWithIndex.map { case (t, i) =>
        BoundReference(layout.offset + i, t, nullable = true)
      })
      row => builder.add(mine(row))
  }

  private def found(row: InternalRow) = {
    val first = layout.checks.get + 1
    val i = (0 until width).find(i => !row.isNullAt(first + i)).get
    BadValue(InputFile(), source.columns(i).name, row.getUTF8String(first + i).toString)
  }

  def result: KeyPart =
    KeyPart(builder.result().map(KeySetBytes.encode), rows, nulls, invalid, bad)
}
