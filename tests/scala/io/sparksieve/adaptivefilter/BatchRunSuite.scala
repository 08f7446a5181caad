// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.{SharedSparkContext, SparkFunSuite}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BasePredicate
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.types.IntegerType
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import io.sparksieve.adaptivefilter.exec.RowFilter
import io.sparksieve.adaptivefilter.learn.{FilterMetrics, FilterStates, OrderHistory}
import io.sparksieve.adaptivefilter.predicate.Precedence
import io.sparksieve.adaptivefilter.run.{BatchRun, FilterHandle, RowRun, RowwisePredicates}
import io.sparksieve.conf.PolicySettings

/** Runs over batches and rows: the rows kept, and the rows that each predicate is evaluated for. */
class BatchRunSuite extends SparkFunSuite with SharedSparkContext {

  /** `value % modulus == 0`; remembers the values for which it was evaluated. */
  private final class Divisible(modulus: Int) extends BasePredicate {
    var seen = Set.empty[Int]
    override def eval(row: InternalRow): Boolean = {
      seen += row.getInt(0)
      row.getInt(0) % modulus == 0
    }
  }

  private def batch(values: Seq[Int]): ColumnarBatch = {
    val vector = new OnHeapColumnVector(values.size.max(1), IntegerType)
    values.zipWithIndex.foreach { case (v, i) => vector.putInt(i, v) }
    val made = new ColumnarBatch(Array[ColumnVector](vector))
    made.setNumRows(values.size)
    made
  }

  private def handle(
      precedence: Precedence,
      policy: String,
      name: String,
      history: OrderHistory = new OrderHistory) = {
    FilterStates.clear()
    new FilterHandle(
      name,
      precedence,
      PolicySettings(policy, collectRate = 3, calculateRate = 10, momentum = 0.3, verbose = false),
      FilterMetrics(
        FilterMetrics.metrics(sc, Seq.tabulate(precedence.size)(k => s"predicate $k")),
        precedence.size,
        history,
        took = None)
    )
  }

  for {
    policy <- PolicySettings.names
    lookAhead <- Seq(true, false)
    fallible <- Seq(0L, 2L, 4L, 6L)
    size <- Seq(0, 1, 7, 4096, 5000)
  } test(
    s"batches of $size rows, $policy, look ahead $lookAhead, may fail ${fallible.toBinaryString}") {
    val moduli = Seq(2, 3, 5)
    val predicates = moduli.map(new Divisible(_))
    val precedence = Precedence(3, fallible, 3)
    val shared = handle(precedence, policy, s"$policy $lookAhead $fallible $size")
    val run = new BatchRun(
      new RowwisePredicates(predicates.toArray),
      shared.learner(),
      precedence,
      shared.settings,
      lookAhead)
    (0 until 5).foreach { n =>
      val values = (n * size until (n + 1) * size).toVector
      val count = run.select(batch(values))
      val kept = run.rows.take(count).filter(run.keeps).map(values(_)).toSeq
      assert(kept == values.filter(v => moduli.forall(v % _ == 0)))
    }
    // A predicate that can fail was evaluated only for rows that pass all predicates before it.
    (1 to 2).filter(k => (fallible >> k & 1L) == 1).foreach { k =>
      val guards = moduli.take(k)
      assert(predicates(k).seen.forall(v => guards.forall(v % _ == 0)))
    }
  }

  for (policy <- PolicySettings.names; fallible <- Seq(0L, 2L, 4L, 6L))
    test(s"rows, $policy, may fail ${fallible.toBinaryString}") {
      val moduli = Seq(2, 3, 5)
      val predicates = moduli.map(new Divisible(_))
      val precedence = Precedence(3, fallible, 3)
      val filter = new RowFilter(
        predicates.map(p => p.eval(_: InternalRow)).toArray,
        handle(precedence, policy, s"rows $policy $fallible").startRows())
      val kept = (0 until 20000).filter(v => filter.keeps(InternalRow(v)))
      assert(kept == (0 until 20000).filter(v => moduli.forall(v % _ == 0)))
      (1 to 2).filter(k => (fallible >> k & 1L) == 1).foreach { k =>
        assert(predicates(k).seen.forall(v => moduli.take(k).forall(v % _ == 0)))
      }
    }

  test("a sample is not mistaken about what is so in every 32nd row") {
    val precedence = Precedence(2, 0L, 2)
    val history = new OrderHistory
    val shared = handle(precedence, "greedy", "periodic", history)
    val learner = shared.learner()
    // A sample has 256 of 4,096 rows, one of each 16. The rows that pass are the first row of every
    // other 16.
    val run = new BatchRun(
      new RowwisePredicates(Array(new Divisible(32), new Divisible(2))),
      learner,
      precedence,
      shared.settings,
      lookAhead = true)
    assert(run.select(batch(0 until 4096)) == 128)
    learner.end()
    val passes = history.value.last.passRates
    assert(passes(0) < 0.2 && passes(1) > 0.3 && passes(1) < 0.7, passes)
  }

  /** Takes a second for its first row, as code that loads classes does. */
  private final class SlowAtFirst extends BasePredicate {
    private var isFirst = true
    override def eval(row: InternalRow): Boolean = {
      if (isFirst) Thread.sleep(1000)
      isFirst = false
      row.getInt(0) % 2 == 0
    }
  }

  for (rows <- Seq(true, false)) test(s"the first evaluation is in no cost, of rows $rows") {
    val precedence = Precedence(2, 0L, 2)
    val history = new OrderHistory
    val shared = handle(precedence, "greedy", s"slow at first $rows", history)
    val predicates = Seq(new Divisible(3), new SlowAtFirst)
    val learner = shared.learner()
    if (rows) {
      val run = new RowRun(learner, precedence, shared.settings)
      val filter = new RowFilter(predicates.map(p => p.eval(_: InternalRow)).toArray, run)
      assert((0 until 20000).count(v => filter.keeps(InternalRow(v))) == 3334)
    } else {
      val made = new RowwisePredicates(predicates.toArray)
      val run = new BatchRun(made, learner, precedence, shared.settings, lookAhead = true)
      assert(run.select(batch(0 until 4096)) == 683)
    }
    learner.end()
    // A second in one row of a sample would be almost eight milliseconds for each row, and more.
    assert(history.value.nonEmpty && history.value.forall(_.nanos(1) < 5e6), history.value)
  }

  /** Takes ten milliseconds for each row. */
  private final class Slow extends BasePredicate {
    var calls = 0
    override def eval(row: InternalRow): Boolean = {
      calls += 1
      Thread.sleep(10)
      true
    }
  }

  test("a slow predicate is sampled for few of the rows that others drop") {
    val precedence = Precedence(2, 0L, 2)
    val shared = handle(precedence, "greedy", "slow")
    val slow = new Slow
    val run = new BatchRun(
      new RowwisePredicates(Array(new Divisible(10000), slow)),
      shared.learner(),
      precedence,
      shared.settings,
      lookAhead = true)
    assert(run.select(batch(1 until 4096)) == 0)
    // The first row, then one part of a sample.
    assert(slow.calls == 9)
  }

  test("the rows of a sample ascend, and are of the batch") {
    for (count <- Seq(1, 5, 128, 129, 4096, 5000); seed <- 1 to 3) {
      val size = math.min(count, 128)
      val rows = (0 until size).map(BatchRun.within(_, size, count, seed))
      assert(rows.forall(r => r >= 0 && r < count) && rows == rows.sorted.distinct, rows)
    }
  }

  test("what may fail is not evaluated ahead of rows that nobody may want") {
    val predicates = Seq(new Divisible(2), new Divisible(3))
    val precedence = Precedence(2, 2L, 2)
    val shared = handle(precedence, "greedy", "ahead")
    val run = new BatchRun(
      new RowwisePredicates(predicates.toArray),
      shared.learner(),
      precedence,
      shared.settings,
      lookAhead = false)
    assert(run.select(batch(0 until 100)) == 50)
    assert(predicates(1).seen.isEmpty)
    assert(run.keeps(0) && !run.keeps(2))
    assert(predicates(1).seen == Set(0, 2))
  }
}
