// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import scala.util.Random

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import io.sparksieve.adaptivefilter.codegen.{
  BatchMembershipTest,
  GenerateBatchPredicates,
  SetQuestion
}
import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.adaptivefilter.run.BatchPredicates
import io.sparksieve.keyset.{KeyBlock, KeySetTest}
import io.sparksieve.keyset.longs.LongKeySet

/** Predicates that look up blocks of keys, compared with evaluation row by row. */
class BatchMembershipTestSuite extends KeySetTest {

  private val Rows = 3 * KeyBlock.Size + 17

  private val shapes = Seq[(String, Expression => Expression)](
    ("leaf", identity),
    ("NOT leaf", Not(_)),
    ("leaf is true", EqualNullSafe(_, Literal.TrueLiteral)),
    ("leaf is not true", e => Not(EqualNullSafe(e, Literal.TrueLiteral))),
    ("NOT leaf is not true", e => Not(EqualNullSafe(Not(e), Literal.TrueLiteral))),
    ("NOT NOT leaf", e => Not(Not(e)))
  )

  private val random = new Random(5)
  private val some = Seq.fill(500)(random.nextLong())

  /** Values of a type, including its ends and values that mark free slots. */
  private val columns = Seq[(DataType, Int => Any)](
    LongType -> (i =>
      i % 5 match {
        case 0 => random.nextLong()
        case 1 => Seq(Long.MinValue, Long.MaxValue, 0L, 1L, -1L)(random.nextInt(5))
        case _ => some(random.nextInt(some.size))
      }),
    IntegerType -> (i => if (i % 3 == 0) random.nextInt() else some(i % some.size).toInt),
    DoubleType -> (i =>
      i % 4 match {
        case 0 => Double.NaN
        case 1 => -0.0d
        case 2 => 0.0d
        case _ if i % 8 == 3 => random.nextInt() + 0.5d
        case _ => (some(i % 100) >> 20).toDouble
      })
  )

  private def keysOf(dataType: DataType): LongKeySet = {
    val values = dataType match {
      case IntegerType => some.map(_.toInt)
      case DoubleType => Seq(Double.NaN, 0.0d, Double.MaxValue) ++ some.map(k => (k >> 20).toDouble)
      case _ => Seq(Long.MinValue, Long.MaxValue, 0L) ++ some
    }
    setOf(dataType, values).asInstanceOf[LongKeySet]
  }

  private def batch(dataType: DataType, value: Int => Any, nullable: Boolean): ColumnarBatch = {
    val vector = new OnHeapColumnVector(Rows, dataType)
    (0 until Rows).foreach { i =>
      if (nullable && i % 7 == 3) vector.putNull(i)
      else
        value(i) match {
          case v: Long => vector.putLong(i, v)
          case v: Int => vector.putInt(i, v)
          case v: Double => vector.putDouble(i, v)
          case other => fail(s"$other")
        }
    }
    new ColumnarBatch(Array[ColumnVector](vector), Rows)
  }

  private def select(
      predicates: BatchPredicates,
      batch: ColumnarBatch,
      rows: Seq[Int],
      all: Boolean): Seq[Int] = {
    predicates.initialize(0)
    predicates.open(batch)
    val places = if (all) Array.fill(rows.size)(-1) else rows.toArray
    val kept = predicates.select(0, places, rows.size, all)
    places.take(kept).toSeq
  }

  for {
    (dataType, value) <- columns
    (name, shape) <- shapes
    nullable <- Seq(true, false)
    checked <- if (nullable) Seq(true, false) else Seq(false)
  } test(s"$name: $dataType, nullable $nullable, behind a NULL check $checked") {
    val column = AttributeReference("c", dataType, nullable)()
    val keys = keysOf(dataType)
    assert(keys.takesBlocks)
    val data = batch(dataType, value, nullable)
    def conjunct(key: Expression, blocks: Boolean) = Conjunct(
      shape(KeyLeaf(key, keys, blocks)),
      if (checked) Seq(column) else Nil,
      fallible = false,
      deterministic = true)
    for (key <- Seq[Expression](column, Coalesce(Seq(column, Literal.default(dataType))))) {
      val made = Seq(true, false).map { blocks =>
        GenerateBatchPredicates(Seq(conjunct(key, blocks)), Seq(column), None, 8000).get
      }
      assert(made.map(GeneratedBlocks.in) == Seq(true, false))
      val predicate = Predicate.create(conjunct(key, blocks = false).condition, Seq(column))
      def expected(rows: Seq[Int]) = rows.filter(i => predicate.eval(data.getRow(i)))
      for {
        (rows, all) <- Seq(
          (0 until Rows, true),
          (0 until KeyBlock.Size, true),
          ((0 until Rows by 3) ++ Nil, false),
          ((0 until Rows).filter(_ => random.nextInt(10) < 7), false),
          (Seq(3), false),
          (Nil, false)
        )
        predicates <- made
      } assert(select(predicates, data, rows, all) == expected(rows))
      assert(expected(0 until Rows).size > 10 && expected(0 until Rows).size < Rows)
    }
  }

  test("what is more than one question is none") {
    val column = AttributeReference("c", LongType)()
    val keys = longs(some)
    def leaf(blocks: Boolean) = KeyLeaf(column, keys, blocks)
    val other = IsNotNull(column)
    for (predicate <- Seq(
        leaf(false),
        Not(leaf(false)),
        other,
        And(leaf(true), other),
        Or(leaf(true), leaf(true)),
        EqualNullSafe(leaf(true), other),
        EqualNullSafe(leaf(true), Literal.FalseLiteral),
        EqualTo(leaf(true), Literal.TrueLiteral),
        IsNull(leaf(true))
      )) assert(BatchMembershipTest.of(predicate).isEmpty, predicate)
    def leafTest(whenFound: Boolean) =
      Some(SetQuestion(leaf(true), whenFound, whenNull = false))
    assert(BatchMembershipTest.of(leaf(true)) == leafTest(whenFound = true))
    assert(BatchMembershipTest.of(Not(leaf(true))) == leafTest(whenFound = false))
  }
}
