// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.workload

import org.apache.spark.sql.catalyst.expressions.{Expression, InSet, Literal}
import org.apache.spark.sql.catalyst.util.{ArrayData, MapData}
import org.apache.spark.sql.types.{ArrayType, DataType, MapType}
import org.apache.spark.unsafe.types.UTF8String

/** An estimate of the memory that the constants and paths of a read take, in bytes. */
private[workload] object ConstantBytes {

  def apply(read: TableRead): Long =
    read.predicates.map(ofPredicate).sum + ofTable(read.table) +
      read.keys.map(_.ranges.size * 2L * PerValue).sum

  private def ofTable(table: TableRef): Long =
    (table.paths ++ table.options.keys ++ table.options.values).map(PerValue + _.length).sum

  private def ofPredicate(predicate: Expression): Long = {
    var bytes = 0L
    predicate.foreach {
      case Literal(value, dataType) => bytes += ofValue(value, dataType)
      case InSet(child, values) => bytes += values.iterator.map(ofValue(_, child.dataType)).sum
      case _ => bytes += PerValue
    }
    bytes
  }

  private def ofValue(value: Any, dataType: DataType): Long = PerValue + ((value, dataType) match {
    case (text: UTF8String, _) => text.numBytes.toLong
    case (bytes: Array[Byte], _) => bytes.length.toLong
    case (array: ArrayData, ArrayType(element, _)) => ofArray(array, element)
    case (map: MapData, MapType(key, value, _)) =>
      ofArray(map.keyArray(), key) + ofArray(map.valueArray(), value)
    case (null, _) => 0L
    case (_, other) => other.defaultSize.toLong
  })

  private def ofArray(values: ArrayData, element: DataType): Long =
    values.numElements().toLong * (PerValue + element.defaultSize)

  // A node of an expression or an entry of a set, with the object of a value.
  private final val PerValue = 48L
}
