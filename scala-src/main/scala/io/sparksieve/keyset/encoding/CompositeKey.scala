// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset.encoding

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType}

/**
 * Encodes keys of several columns as bytes that are equal if and only if the keys are equal: the
 * bytes of an UnsafeRow whose floats are normalised. Builders project their input themselves. Code
 * that probes a [[CompositeKeySet]] must use one of these projections, or generate code for
 * `normalized` expressions.
 */
private[sparksieve] object CompositeKey {

  /** Projects rows that consist of the key's columns, of these types. Not thread-safe. */
  def projection(dataTypes: Seq[DataType]): UnsafeProjection =
    UnsafeProjection.create(dataTypes.zipWithIndex.map { case (t, i) =>
      normalized(BoundReference(i, t, nullable = true))
    })

  /** Projects rows of `input` to the key that the expressions `keys` form. Not thread-safe. */
  def projection(keys: Seq[Expression], input: Seq[Attribute]): UnsafeProjection =
    UnsafeProjection.create(keys.map(normalized), input)

  /** Maps all NaNs to one NaN and -0.0 to 0.0 if `key` is a float; else returns `key`. */
  def normalized(key: Expression): Expression = key.dataType match {
    case FloatType | DoubleType => NormalizeNaNAndZero(key)
    case _ => key
  }

  private[keyset] def bytesForNulls(fields: Int): Int =
    UnsafeRow.calculateBitSetWidthInBytes(fields)
}
