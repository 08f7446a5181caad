package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BasePredicate

/** A task's filter of single rows without generated code; see [[RowRun]]. */
private[adaptivefilter] final class RowFilter(predicates: Array[BasePredicate], run: RowRun) {

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
    while (i < order.length && predicates(order(i)).eval(row)) i += 1
    i == order.length
  }

  private def sampled(row: InternalRow): Boolean = {
    run.begin()
    var k = 0
    while (k < predicates.length) {
      if (run.asks(k)) {
        val start = System.nanoTime()
        val passes = predicates(k).eval(row)
        run.answered(k, passes, System.nanoTime() - start)
      }
      k += 1
    }
    untilSample = run.end()
    run.passed
  }
}
