// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Predicate}

import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.adaptivefilter.run.{FilterHandle, RowRun}

/** Filters single rows in one task, without whole-stage code generation; see [[RowRun]]. */
private[adaptivefilter] final class RowFilter(
    predicates: Array[InternalRow => Boolean],
    run: RowRun) {

  private var untilSample = 0
  private var order = run.order

  def keeps(row: InternalRow): Boolean = {
    untilSample -= 1
    if (untilSample >= 0) passes(row)
    else {
      untilSample = run.lapse()
      order = run.order
      if (untilSample == 0) sampled(row) else passes(row)
    }
  }

  private def passes(row: InternalRow): Boolean = {
    var i = 0
    while (i < order.length && predicates(order(i))(row)) i += 1
    i == order.length
  }

  private def sampled(row: InternalRow): Boolean = {
    run.begin()
    var k = 0
    while (k < predicates.length) {
      if (run.evaluates(k)) {
        val start = System.nanoTime()
        val passes = predicates(k)(row)
        run.answered(k, passes, System.nanoTime() - start)
      }
      k += 1
    }
    untilSample = run.end()
    run.passed
  }
}

private[adaptivefilter] object RowFilter {

  /** Creates the filter of a task, over rows of `input`. */
  def apply(
      conjuncts: Seq[Conjunct],
      input: Seq[Attribute],
      handle: FilterHandle,
      partition: Int): RowFilter = {
    def single(c: Conjunct): InternalRow => Boolean = {
      val predicate = Predicate.create(c.condition, input)
      predicate.initialize(partition)
      predicate.eval
    }
    def either(c: Conjunct, part: FilterHandle): InternalRow => Boolean = {
      val checks = single(c.nullChecks)
      val none = apply(c.exclusions, input, part, partition)
      row => checks(row) && !none.keeps(row)
    }
    val predicates = conjuncts.zipWithIndex.map { case (c, k) =>
      handle.parts.get(k).fold(single(c))(either(c, _))
    }
    new RowFilter(predicates.toArray, handle.startRows())
  }
}
