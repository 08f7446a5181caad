// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.keyset

import java.util.function.{Predicate => JavaPredicate}

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeAndComment, CodeGenerator}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.keyset.build.{KeySets, KeyTypes}
import io.sparksieve.keyset.encoding.CompositeKey
import io.sparksieve.keyset.longs.{BloomCaps, LongKeyFilter}

/** Lookups in sets from generated Java code. */
class KeySetCodegenSuite extends KeySetTest {

  /** A class, compiled by Janino, that looks up the first column of a row in `set`. */
  private def compiled(set: KeySet, dataType: DataType): JavaPredicate[AnyRef] = {
    val code = KeyTypes
      .of(dataType)
      .get
      .containsCode("set", CodeGenerator.getValue("row", dataType, "0"))
    compile(set, s"return $code;")
  }

  private def compile(set: KeySet, body: String): JavaPredicate[AnyRef] = {
    val name = set.getClass.getName
    val source = s"""
      public java.lang.Object generate(Object[] references) {
        return new Probe(references);
      }

      class Probe implements java.util.function.Predicate {
        private final $name set;
        Probe(Object[] references) { set = ($name) references[0]; }
        public boolean test(java.lang.Object input) {
          InternalRow row = (InternalRow) input;
          $body
        }
      }"""
    val (generated, _) =
      CodeGenerator.compile(new CodeAndComment(source, mutable.Map.empty[String, String]))
    generated.generate(Array[Any](set)).asInstanceOf[JavaPredicate[AnyRef]]
  }

  for ((name, keys, kind) <- arrangements.groupBy(_._3).values.map(_.head))
    test(s"longs held as $kind ($name)") {
      val set = longs(keys)
      val probe = compiled(set, LongType)
      probes(keys.take(200)).foreach(p => assert(probe.test(InternalRow(p)) == keys.contains(p)))
    }

  for (caps <- Seq(BloomCaps(1000, 8192), BloomCaps(1, 8192))) {
    val keys = Seq(Long.MinValue, -7L, 0L, 5L, Long.MaxValue)
    val collected = KeySets.builder(Seq(LongType), maxKeys = 1, Unlimited, Some(caps))
    keys.foreach(collected.addLong)
    val set = collected.result().get.asInstanceOf[LongKeyFilter]
    test(s"longs beyond the cap, held as ${set.kind}") {
      val probe = compiled(set, LongType)
      assert(keys.forall(key => probe.test(InternalRow(key))))
      probes(keys).foreach(p => assert(probe.test(InternalRow(p)) == set.contains(p)))
    }
  }

  private val values: Seq[(DataType, Seq[Any])] = Seq(
    BooleanType -> Seq(true, false),
    ByteType -> Seq[Byte](-128, 3, 127),
    ShortType -> Seq[Short](-32768, 3, 32767),
    IntegerType -> Seq(Int.MinValue, 3, Int.MaxValue),
    DateType -> Seq(-1, 0, 20000),
    TimestampType -> Seq(-1L, 0L, 1700000000000000L),
    TimestampNTZType -> Seq(-1L, 0L, 1700000000000000L),
    YearMonthIntervalType() -> Seq(-1, 0, 12),
    DayTimeIntervalType() -> Seq(-1L, 0L, 86400000000L),
    FloatType -> Seq(0.0f, 1.5f, Float.NaN, Float.NegativeInfinity),
    DoubleType -> Seq(0.0, 1.5, Double.NaN, Double.NegativeInfinity),
    DecimalType(9, 2) -> Seq("0.00", "1.50", "-9999999.99").map(Decimal(_)),
    DecimalType(38, 10) -> Seq("0", "1.5", "-1234567890123456789012345678.0123456789").map(s =>
      Decimal(BigDecimal(s), 38, 10)),
    StringType -> Seq("", "a", "日本語").map(UTF8String.fromString),
    BinaryType -> Seq(Array.emptyByteArray, Array[Byte](-1, 0))
  )

  for ((dataType, all) <- values; held <- 0 to 1)
    test(s"${dataType.sql}, ${if (held == 0) "the first value" else "the others"} held") {
      val (first, rest) = all.splitAt(1)
      val (in, out) = if (held == 0) (first, rest) else (rest, first)
      val probe = compiled(setOf(dataType, in), dataType)
      val unsafe = UnsafeProjection.create(Array(dataType))
      for (v <- all; row <- Seq(InternalRow(v), unsafe(InternalRow(v))))
        assert(probe.test(row) == !out.contains(v), v)
    }

  test("-0.0 and another NaN") {
    val probe = compiled(setOf(DoubleType, Seq(0.0, Double.NaN)), DoubleType)
    assert(probe.test(InternalRow(-0.0)))
    assert(probe.test(InternalRow(java.lang.Double.longBitsToDouble(0xfff8000000000001L))))
  }

  test("rows of several columns") {
    val keys = builder(Seq(LongType, StringType))
    keys.add(InternalRow(1L, UTF8String.fromString("a")))
    val probe = compile(keys.result().get, "return set.contains((UnsafeRow) row);")
    val projection = CompositeKey.projection(Seq(LongType, StringType))
    assert(probe.test(projection(InternalRow(1L, UTF8String.fromString("a")))))
    assert(!probe.test(projection(InternalRow(2L, UTF8String.fromString("a")))))
    assert(!probe.test(projection(InternalRow(null, UTF8String.fromString("a")))))
  }
}
