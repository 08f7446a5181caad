// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.keyset

import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  Expression,
  InSet,
  Predicate,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.types.{DataType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.bench.{Case, CaseGroup, Figures, LoopCase, Variant}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.longs.LongKeySet

/**
 * Membership tests: off is Spark's InSet or, in a plain loop, a hash set of boxed values; on is a
 * key set.
 */
object Membership extends CaseGroup {

  override def position: Int = 1

  /** The number of values that rows have; keys are drawn from twice as many. */
  private val Domain = 1 << 20

  override def cases(rows: Long): Seq[Case] = {
    val tested = 2 * rows
    Seq(
      query("query/longs-10k", 10000, tested, Some(2)),
      query("query/longs-1m", 1000000, tested, None),
      loop("rows/longs-10k", LongType, 10000, tested, Some(2)),
      loop("rows/longs-1m", LongType, 1000000, tested, None),
      loop("rows/strings-10k", StringType, 10000, tested, None),
      bare("bare/longs-10k", 10000, tested),
      bare("bare/longs-1m", 1000000, tested)
    )
  }

  private def about(keys: Int, rows: Long, of: String, how: String) =
    s"${Figures.count(rows)} rows against ${Figures.count(keys.toLong)} $of, $how"

  /** Spreads values too far apart for anything but hashing; no product overflows. */
  private def scattered(i: Long): Long = i * 0x3779b97f4bL

  private def keyOf(dataType: DataType, i: Long): Any = dataType match {
    case LongType => scattered(i)
    case _ => UTF8String.fromString(f"customer#$i%012d")
  }

  private def keys(dataType: DataType, n: Int): Seq[Any] = {
    val chosen = new Random(1).shuffle((0 until 2 * Domain).toVector).take(n)
    chosen.map(i => keyOf(dataType, i.toLong))
  }

  private def setOf(dataType: DataType, values: Seq[Any]): KeySet = {
    val builder = KeySets.builder(Seq(dataType), Long.MaxValue, Long.MaxValue)
    values.foreach(v => builder.add(InternalRow(v)))
    val set = builder.result().get
    val perKey =
      String.format(java.util.Locale.ROOT, "%.1f", Double.box(set.byteSize.toDouble / set.size))
    println(s"    ${set.kind}: ${Figures.count(set.byteSize)} bytes, $perKey a key")
    set
  }

  /** A complete query with whole-stage code generation; only the predicate differs. */
  private def query(name: String, n: Int, rows: Long, target: Option[Double]) = {
    val sql = s"SELECT (id & ${Domain - 1}) * ${scattered(1)}L AS k FROM range($rows)"
    LoopCase(name, about(n, rows, "longs", "in a query"), s"$sql, then k IN keys", target) {
      bench =>
        val values = keys(LongType, n)
        def run(predicate: Expression => Expression)() = {
          val plan = bench.query(bench.plain, sql).analyzed
          val filtered = Filter(predicate(plan.output.head), plan)
          SparkCompat.plan(bench.plain, filtered).toRdd.count()
        }
        val (set, boxed) = (setOf(LongType, values), values.toSet)
        Seq(
          Variant.Off -> (() => run(InSet(_, boxed))()),
          Variant.On -> (() => run(Contains(_, set))()))
    }
  }

  /** Generated predicates over rows that are in memory already. */
  private def loop(name: String, dataType: DataType, n: Int, rows: Long, target: Option[Double]) = {
    val of = if (dataType == LongType) "longs" else "strings"
    LoopCase(name, about(n, rows, of, "a generated predicate"), "k IN keys", target) { _ =>
      val values = keys(dataType, n)
      val project = UnsafeProjection.create(Array(dataType))
      val random = new Random(2)
      val some = Array.fill(math.min(rows, Domain.toLong).toInt) {
        project(InternalRow(keyOf(dataType, random.nextInt(Domain).toLong))).copy()
      }
      val key = BoundReference(0, dataType, nullable = false)
      val (set, boxed) = (setOf(dataType, values), values.toSet)
      Seq(
        Variant.Off -> passing(InSet(key, boxed), some, rows),
        Variant.On -> passing(Contains(key, set), some, rows))
    }
  }

  private def passing(predicate: Expression, some: Array[UnsafeRow], rows: Long): () => Long = {
    val generated = Predicate.create(predicate, Nil)
    () => {
      var found, tested = 0L
      var i = 0
      while (tested < rows) {
        if (generated.eval(some(i))) found += 1
        i = if (i + 1 == some.length) 0 else i + 1
        tested += 1
      }
      found
    }
  }

  /** The data structure alone; off is Java's hash set of boxed longs. */
  private def bare(name: String, n: Int, rows: Long) =
    LoopCase(name, about(n, rows, "longs", "a plain loop"), "java.util.HashSet") { _ =>
      val values = keys(LongType, n).map(_.asInstanceOf[Long])
      val set = setOf(LongType, values).asInstanceOf[LongKeySet]
      val boxed = new java.util.HashSet[Long]
      values.foreach(boxed.add)
      val random = new Random(2)
      val some = Array.fill(Domain)(scattered(random.nextInt(Domain).toLong))
      def inTurn(has: Array[Long] => Long)() = {
        var found, tested = 0L
        while (tested < rows) {
          found += has(some)
          tested += some.length
        }
        found
      }
      Seq(
        Variant.Off -> (() =>
          inTurn { ks =>
            var i, found = 0
            while (i < ks.length) {
              if (boxed.contains(ks(i))) found += 1
              i += 1
            }
            found.toLong
          }()),
        Variant.On -> (() =>
          inTurn { ks =>
            var i, found = 0
            while (i < ks.length) {
              if (set.contains(ks(i))) found += 1
              i += 1
            }
            found.toLong
          }())
      )
    }
}
