// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import java.util.concurrent.TimeUnit

import io.sparksieve.adaptivefilter.learn.OrderEvent
import io.sparksieve.adaptivefilter.predicate.Conjunct
import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Features, OperatorDescription, OrderSnapshot, Report}

/** Builds report entries from the measurements of a filter's run. */
private[adaptivefilter] object AdaptiveFilterReport {

  def apply(
      filter: AdaptiveFilter,
      conjuncts: Seq[Conjunct],
      orders: Seq[OrderEvent],
      rowsOut: Long): Seq[Report.Entry] = orders.lastOption.toSeq.flatMap { last =>
    def entry(place: String, detail: String) =
      Report.measured(Features.AdaptiveFilter, filter.nodeName, place, detail)
    val place = OperatorDescription.filterOver(filter.child)
    val reorders = filter.metrics("numReorders").value
    val saved = filter.metrics("evaluationsSaved").value
    val millis = TimeUnit.NANOSECONDS.toMillis(filter.metrics("timeSaved").value)
    val gains =
      Seq(saved -> Numbers.counted(saved, "evaluation"), millis -> Numbers.time(millis)).collect {
        case (n, text) if n > 0 => text
      }
    val executors = orders.map(_.executor).distinct.size
    val whole = entry(
      place,
      s"${Numbers.counted(rowsOut, "row")} kept; evaluated in the order " +
        last.order.map(_ + 1).mkString(", ") +
        s"; ${Numbers.counted(reorders, "new order")} on ${Numbers.counted(executors.toLong, "executor")}" +
        (if (gains.isEmpty) "" else gains.mkString("; about ", " and ", " saved"))
    )
    whole +: last.order.zipWithIndex.map { case (k, i) =>
      entry(
        place,
        s"${i + 1}. ${conjuncts(k).text}: " +
          s"${percent(last.passRates(k))} pass, ${nanos(last.nanos(k))}")
    }
  }

  /** Entries for the orders learned inside ORs, and inside the ANDs and ORs nested in them. */
  def parts(
      filter: AdaptiveFilter,
      conjuncts: Seq[Conjunct],
      histories: Map[Int, PartHistory]): Seq[Report.Entry] = {
    def below(
        conjuncts: Seq[Conjunct],
        histories: Map[Int, PartHistory],
        areOrs: Boolean): Seq[Report.Entry] =
      histories.toSeq.sortBy(_._1).flatMap { case (k, part) =>
        val whole = conjuncts(k)
        val text =
          if (areOrs) whole.text else whole.exclusions.map(_.text).mkString("(", " AND ", ")")
        val entry = part.history.ordered.lastOption.map { last =>
          val said = last.order.map { p =>
            // A row passes an exclusion of an OR if the OR's part is not true for the row.
            val isTrue = if (areOrs) 1 - last.passRates(p) else last.passRates(p)
            s"part ${p + 1}: ${percent(isTrue)} true, ${nanos(last.nanos(p))}"
          }
          Report.measured(
            Features.AdaptiveFilter,
            filter.nodeName,
            OperatorDescription.filterOver(filter.child),
            s"$text evaluates ${said.mkString("; ")}")
        }
        // ORs and ANDs alternate from level to level.
        entry ++ below(whole.exclusions, part.below, !areOrs)
      }
    below(conjuncts, histories, areOrs = true)
  }

  def moments(
      place: String,
      conjuncts: Seq[Conjunct],
      orders: Seq[OrderEvent]): Seq[OrderSnapshot] = for {
    event <- orders
    (conjunct, k) <- conjuncts.zipWithIndex
  } yield OrderSnapshot(
    place,
    event.executor,
    event.millis,
    conjunct.text,
    k + 1,
    event.order.indexOf(k) + 1,
    Some(event.passRates(k)).filterNot(_.isNaN),
    Some(event.nanos(k)).filterNot(_.isNaN)
  )

  private def percent(rate: Double) = if (rate.isNaN) "unknown" else Numbers.percent(rate)

  private def nanos(cost: Double) =
    if (cost.isNaN) "unknown cost" else s"${Numbers.decimal(math.max(cost, 1), 0)} ns each"
}
