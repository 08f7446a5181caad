// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice.layout

import java.util.{Arrays, HashSet => JavaHashSet, SplittableRandom}

import scala.collection.mutable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}

import io.sparksieve.advice.workload.{Coding, ComparedColumns}
import io.sparksieve.compat.SparkCompat

/**
 * A random sample of a table's rows, with the values of the compared columns as ranks.
 *
 * @param columns
 *   each with one rank for each row
 */
private[advice] final class Sample(val columns: IndexedSeq[RankedColumn], val rows: Int) {

  /** Every `step`-th row. The rows are in the order of the table, so the part is a fair one. */
  def thin(step: Int, from: Int = 0): Sample =
    if (step <= 1) this
    else {
      val kept = (from until rows by step).toArray
      new Sample(columns.map(_.at(kept)), kept.length)
    }
}

/**
 * The values of a column in a sample.
 *
 * @param ranks
 *   for each row, the position of its value among the distinct values; [[RankedColumn.Null]] for
 *   NULL
 * @param distinct
 *   the codes of the distinct values, ascending
 */
private[advice] final class RankedColumn(val ranks: Array[Int], distinct: RankedColumn.Codes) {

  /** The number of distinct values. */
  def cardinality: Int = distinct.length

  def code(rank: Int): AnyRef = distinct(rank)

  /** For each rank, the number of rows with a lower one; and of all rows at the end. */
  private lazy val below: Array[Int] = {
    val counts = new Array[Int](cardinality + 1)
    ranks.foreach(rank => if (rank != RankedColumn.Null) counts(rank + 1) += 1)
    (1 to cardinality).foreach(i => counts(i) += counts(i - 1))
    counts
  }

  /** The number of rows with a rank from `low` to `high`. */
  def rows(low: Int, high: Int): Int = below(high + 1) - below(low)

  /** The highest value of the sample with at most `rows` rows above `rank` up to and with it. */
  def reachUp(rank: Int, rows: Double): Int = {
    val most = below(rank + 1) + rows.toInt
    val found = Arrays.binarySearch(below, rank + 1, cardinality + 1, most)
    var next = if (found >= 0) found else -found - 2
    // A part of a sample lacks some of the values.
    while (next > rank + 1 && below(next - 1) == below(next)) next -= 1
    next - 1
  }

  /** The lowest value of the sample with at most `rows` rows below `rank` down to and with it. */
  def reachDown(rank: Int, rows: Double): Int = {
    val found = Arrays.binarySearch(below, 0, rank + 1, below(rank) - rows.toInt)
    var lowest = if (found >= 0) found else -found - 1
    while (lowest < rank && below(lowest + 1) == below(lowest)) lowest += 1
    lowest
  }

  /** The share of the distinct values that are less than `value`. */
  def share(value: AnyRef): Double = {
    var from = 0
    var until = cardinality
    while (from < until) {
      val middle = (from + until) >>> 1
      if (Coding.compare(code(middle), value) < 0) from = middle + 1 else until = middle
    }
    from.toDouble / math.max(1, cardinality)
  }

  def at(rows: Array[Int]): RankedColumn = new RankedColumn(rows.map(ranks(_)), distinct)
}

private[advice] object RankedColumn {

  final val Null = -1

  /** Codes in an array; longs are boxed when they are needed. */
  private[advice] sealed trait Codes {
    def length: Int
    def apply(i: Int): AnyRef
  }

  private final class LongCodes(codes: Array[Long]) extends Codes {
    override def length: Int = codes.length
    override def apply(i: Int): AnyRef = Long.box(codes(i))
  }

  private final class ObjectCodes(codes: Array[AnyRef]) extends Codes {
    override def length: Int = codes.length
    override def apply(i: Int): AnyRef = codes(i)
  }

  def ofLongs(values: Array[Long], nulls: Array[Boolean]): RankedColumn = {
    val sorted = values.clone()
    Arrays.parallelSort(sorted)
    val distinct = dedupe(sorted)
    val ranks = Array.tabulate(values.length) { i =>
      if (nulls(i)) Null else Arrays.binarySearch(distinct, values(i))
    }
    new RankedColumn(ranks, new LongCodes(distinct))
  }

  def ofObjects(values: Array[AnyRef]): RankedColumn = {
    val seen = new JavaHashSet[AnyRef]
    values.foreach(v => if (v != null) seen.add(v))
    val distinct = seen.toArray
    Arrays.sort(distinct)
    val rankOf = new java.util.HashMap[AnyRef, Integer]
    distinct.indices.foreach(i => rankOf.put(distinct(i), i))
    val ranks = values.map(v => if (v == null) Null else rankOf.get(v).intValue)
    new RankedColumn(ranks, new ObjectCodes(distinct))
  }

  private def dedupe(sorted: Array[Long]): Array[Long] = {
    var kept = 0
    sorted.indices.foreach { i =>
      if (kept == 0 || sorted(kept - 1) != sorted(i)) {
        sorted(kept) = sorted(i)
        kept += 1
      }
    }
    Arrays.copyOf(sorted, kept)
  }
}

private[advice] object Sample {

  /**
   * Reads a sample in one Spark job, which no listener of queries sees.
   *
   * @param table
   *   a plan with the table's columns
   * @param share
   *   the share of the rows to take, from 0 to 1
   */
  def of(
      session: SparkSession,
      table: LogicalPlan,
      columns: ComparedColumns,
      share: Double): Sample = {
    val attributes = columns.names.map(name => table.output.find(_.name == name).get)
    val query = SparkCompat.plan(session, Project(attributes, table))
    val codings = columns.codings.toArray
    val parts = query.toRdd
      .mapPartitionsWithIndex { (index, rows) =>
        val part = new Part(codings)
        part.add(rows, share, new SplittableRandom(Seed + index))
        Iterator.single(part.result)
      }
      .collect()
    val size = parts.map(_.rows).sum
    new Sample(InParallel(codings.indices)(i => column(parts, i, codings(i))).toIndexedSeq, size)
  }

  // The same table gives the same advice.
  private final val Seed = 20240229L

  private def column(parts: Array[Rows], i: Int, coding: Coding): RankedColumn = coding match {
    case _: Coding.Longs =>
      val nulls = Array.concat(parts.map(_.nulls(i)).toSeq: _*)
      // NULLs are stored as 0, which is then a distinct value without rows.
      RankedColumn.ofLongs(
        Array.concat(parts.map(_.values(i).asInstanceOf[Array[Long]]).toSeq: _*),
        nulls)
    case _ =>
      RankedColumn.ofObjects(
        Array.concat(parts.map(_.values(i).asInstanceOf[Array[AnyRef]]).toSeq: _*))
  }

  /**
   * The sampled rows of one task, by column.
   *
   * @param values
   *   `Array[Long]` or an array of objects
   */
  private final case class Rows(rows: Int, values: Array[AnyRef], nulls: Array[Array[Boolean]])

  private final class Part(codings: Array[Coding]) {

    private var count = 0
    private val longs = codings.map(_ => mutable.ArrayBuilder.make[Long])
    private val objects = codings.map(_ => mutable.ArrayBuilder.make[AnyRef])
    private val nulls = codings.map(_ => mutable.ArrayBuilder.make[Boolean])

    def add(rows: Iterator[InternalRow], share: Double, random: SplittableRandom): Unit = {
      val threshold = (share * Long.MaxValue.toDouble).toLong
      while (rows.hasNext) {
        val row = rows.next()
        if (share >= 1 || (random.nextLong() >>> 1) < threshold) take(row)
      }
    }

    private def take(row: InternalRow): Unit = {
      count += 1
      codings.indices.foreach { i =>
        val isNull = row.isNullAt(i)
        nulls(i) += isNull
        codings(i) match {
          case coding: Coding.Longs => longs(i) += (if (isNull) 0L else coding.read(row, i))
          case _ if isNull => objects(i) += null
          case coding =>
            // A copy: Spark reuses the memory of rows.
            objects(i) += coding.encode(row.get(i, coding.dataType))
        }
      }
    }

    def result: Rows = Rows(
      count,
      codings.indices.map { i =>
        codings(i) match {
          case _: Coding.Longs => longs(i).result(): AnyRef
          case _ => objects(i).result(): AnyRef
        }
      }.toArray,
      nulls.map(_.result())
    )
  }
}
