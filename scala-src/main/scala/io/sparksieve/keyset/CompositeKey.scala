package io.sparksieve.keyset

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType}

/**
 * How keys of several columns become bytes that are equal just when the keys are: an UnsafeRow
 * whose floats are normalised. Builders project what they are given by themselves; who asks a
 * [[CompositeKeySet]] projects with one of these, or generates code for `normalized` expressions.
 */
object CompositeKey {

  /** For rows whose columns are the key, of these types. A projection is for one thread. */
  def projection(dataTypes: Seq[DataType]): UnsafeProjection =
    UnsafeProjection.create(dataTypes.zipWithIndex.map { case (t, i) =>
      normalized(BoundReference(i, t, nullable = true))
    })

  /** For rows of `input`, of which `keys` make the key. A projection is for one thread. */
  def projection(keys: Seq[Expression], input: Seq[Attribute]): UnsafeProjection =
    UnsafeProjection.create(keys.map(normalized), input)

  /** `key` with one NaN and one zero, if it is of a type that has more of them. */
  def normalized(key: Expression): Expression = key.dataType match {
    case FloatType | DoubleType => NormalizeNaNAndZero(key)
    case _ => key
  }

  private[keyset] def bytesForNulls(fields: Int): Int =
    UnsafeRow.calculateBitSetWidthInBytes(fields)
}
