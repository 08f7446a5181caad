// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.lang.Double.longBitsToDouble
import java.lang.Float.intBitsToFloat

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.catalyst.util.TypeUtils
import org.apache.spark.sql.types._

import io.sparksieve.TestedLine
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.encoding.FloatKeys
import io.sparksieve.keyset.longs.LongKeyType

/** Keys of each type that is encoded as a long. */
class KeySetTypesSuite extends KeySetTest {

  private val random = new Random(5)

  private val nans =
    Seq(0x7ff8000000000000L, 0x7ff8000000000001L, 0xfff8000000000000L, 0x7ff0000000000001L, -1L)
      .map(longBitsToDouble)

  private val floatNans =
    Seq(0x7fc00000, 0x7fc00001, 0xffc00000, 0x7f800001, -1).map(intBitsToFloat)

  private val doubles: Seq[Double] = nans ++ Seq(
    0.0,
    -0.0,
    1.0,
    -1.0,
    Double.MinPositiveValue,
    -Double.MinPositiveValue,
    Double.MaxValue,
    Double.MinValue,
    Double.PositiveInfinity,
    Double.NegativeInfinity
  ) ++ Seq.fill(300)(longBitsToDouble(random.nextLong()))

  private val floats: Seq[Float] = floatNans ++ Seq(
    0.0f,
    -0.0f,
    Float.MinPositiveValue,
    -Float.MinPositiveValue,
    Float.MaxValue,
    Float.MinValue,
    Float.PositiveInfinity,
    Float.NegativeInfinity) ++ Seq.fill(300)(intBitsToFloat(random.nextInt()))

  private def ints(n: Int) =
    Seq(0, 1, -1, Int.MinValue, Int.MaxValue) ++ Seq.fill(n)(random.nextInt())

  private def wide(n: Int) = Seq(0L, Long.MinValue, Long.MaxValue) ++ Seq.fill(n)(random.nextLong())

  private def decimals(precision: Int, scale: Int): Seq[Decimal] = {
    val most = BigInt(10).pow(precision) - 1
    val unscaled = Seq(BigInt(0), most, -most, BigInt(1), BigInt(-1)) ++
      Seq.fill(200)(BigInt(130, random) % most * (if (random.nextBoolean()) 1 else -1))
    unscaled.map(u => Decimal(BigDecimal(u, scale), precision, scale))
  }

  private val values: Seq[(DataType, Seq[Any])] = Seq(
    BooleanType -> Seq(true, false),
    ByteType -> (Byte.MinValue to Byte.MaxValue).map(_.toByte),
    ShortType -> Seq.fill(300)(random.nextInt().toShort),
    IntegerType -> ints(300),
    DateType -> ints(300),
    YearMonthIntervalType() -> ints(300),
    LongType -> wide(300),
    TimestampType -> wide(300),
    TimestampNTZType -> wide(300),
    DayTimeIntervalType() -> wide(300),
    FloatType -> floats,
    DoubleType -> doubles,
    DecimalType(1, 0) -> decimals(1, 0),
    DecimalType(9, 2) -> decimals(9, 2),
    DecimalType(18, 18) -> decimals(18, 18)
  )

  for ((dataType, all) <- values) {
    val keyType = KeyTypes.of(dataType).get.asInstanceOf[LongKeyType]
    val order = TypeUtils.getInterpretedOrdering(dataType)
    val unsafe = UnsafeProjection.create(Array(dataType))

    test(s"${dataType.sql}: encoded in the type's order, and back") {
      for (a <- all; b <- all.take(40)) {
        val (x, y) = (keyType.encodeValue(a), keyType.encodeValue(b))
        assert(Integer.signum(x.compare(y)) == Integer.signum(order.compare(a, b)), s"$a $b")
      }
      all.foreach { v =>
        val key = keyType.encodeValue(v)
        assert(order.equiv(keyType.decode(key), v))
        assert(keyType.decode(key).getClass == v.getClass)
        assert(keyType.encodeValue(keyType.decode(key)) == key)
        assert(keyType.encode(InternalRow(v), 0) == key)
        assert(keyType.encode(unsafe(InternalRow(v)), 0) == key)
      }
    }

    test(s"${dataType.sql}: members are what the type's order holds equal") {
      val (in, out) = all.splitAt(all.length / 2)
      val set = setOf(dataType, (in :+ null) ++ in.take(5))
      val expected = new java.util.TreeSet[Any](order)
      in.foreach(expected.add)
      assert(set.size == expected.size)
      for (v <- in ++ out; row <- Seq(InternalRow(v), unsafe(InternalRow(v))))
        assert(keyType.contains(set, row, 0) == expected.contains(v), v)
    }
  }

  test("-0.0 is 0.0 and every NaN is the same, in either direction") {
    for (a <- Seq(0.0, -0.0); b <- Seq(0.0, -0.0)) {
      assert(KeyTypes.of(DoubleType).get.contains(setOf(DoubleType, Seq(a)), InternalRow(b), 0))
      val set = setOf(FloatType, Seq(a.toFloat))
      assert(KeyTypes.of(FloatType).get.contains(set, InternalRow(b.toFloat), 0))
    }
    for (a <- nans; b <- nans)
      assert(KeyTypes.of(DoubleType).get.contains(setOf(DoubleType, Seq(a)), InternalRow(b), 0))
    for (a <- floatNans; b <- floatNans)
      assert(KeyTypes.of(FloatType).get.contains(setOf(FloatType, Seq(a)), InternalRow(b), 0))
    assert(setOf(DoubleType, nans ++ Seq(0.0, -0.0)).size == 2)
    assert(FloatKeys.decodeDouble(FloatKeys.encodeDouble(-0.0)).equals(0.0))
  }

  test("a decimal of another scale than its type's is the same value") {
    val set = setOf(DecimalType(9, 2), Seq(Decimal("1.50"), Decimal("1.5"), Decimal(3)))
    assert(set.size == 2)
    for (same <- Seq("1.5", "1.50", "3", "3.0"))
      assert(KeyTypes.of(DecimalType(9, 2)).get.contains(set, InternalRow(Decimal(same)), 0), same)
  }

  test("types that cannot be held") {
    val none = Seq(
      NullType,
      CalendarIntervalType,
      ArrayType(IntegerType),
      MapType(IntegerType, IntegerType),
      new StructType().add("a", IntegerType),
      CharType(3),
      VarcharType(3)
    )
    for (t <- none) {
      assert(!KeyTypes.supported(t), t)
      assertThrows[IllegalArgumentException](builder(Seq(t)))
      assertThrows[IllegalArgumentException](builder(Seq(IntegerType, t)))
    }
    assert(KeyTypes.supported(StringType) && KeyTypes.supported(BinaryType))
    assert(KeyTypes.supported(DecimalType(38, 10)))
  }

  test("strings of a collation cannot be held") {
    assume(TestedLine.atLeast("4.0"))
    for (collation <- Seq("UTF8_LCASE", "UNICODE", "UNICODE_CI", "UTF8_BINARY_RTRIM"))
      assert(!KeyTypes.supported(DataType.fromDDL(s"s STRING COLLATE $collation").head), collation)
    assert(KeyTypes.supported(DataType.fromDDL("s STRING COLLATE UTF8_BINARY").head))
  }

  test("times of day, where Spark has them") {
    assume(TestedLine.atLeast("4.1"))
    val time = DataType.fromDDL("t TIME").head
    val set = setOf(time, Seq(1L, 86399999999999L))
    assert(KeyTypes.of(time).get.contains(set, InternalRow(86399999999999L), 0))
    assert(!KeyTypes.of(time).get.contains(set, InternalRow(2L), 0))
  }

  private implicit class OneColumn(schema: DataType) {
    def head: DataType = schema.asInstanceOf[StructType].head.dataType
  }
}
