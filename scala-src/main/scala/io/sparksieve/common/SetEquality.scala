package io.sparksieve.common

import org.apache.spark.sql.types._

/**
 * The equality by which set operations, DISTINCT and join keys compare values. It merges values
 * that expressions can tell apart: -0.0 and 0.0, the bit patterns of NaN, and strings that a
 * collation holds equal. Which expressions cannot is for [[RespectsEquality]].
 */
object SetEquality {

  /** Whether equality over `dataType` may hold two distinguishable values equal. */
  def merges(dataType: DataType): Boolean = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | NullType => false
    case DateType | TimestampType | TimestampNTZType | BinaryType => false
    case _: DecimalType | _: YearMonthIntervalType | _: DayTimeIntervalType => false
    case StringType => false
    case s: StructType => s.exists(f => merges(f.dataType))
    case a: ArrayType => merges(a.elementType)
    // Floats, strings of other collations, and every type that is not known to be plain.
    case _ => true
  }

  /** Whether the merged values of `dataType` are floats alone, which Spark can normalise. */
  def mergesFloatsOnly(dataType: DataType): Boolean = dataType match {
    case FloatType | DoubleType => true
    case s: StructType => s.forall(f => mergesFloatsOnly(f.dataType))
    case a: ArrayType => mergesFloatsOnly(a.elementType)
    case other => !merges(other)
  }
}
