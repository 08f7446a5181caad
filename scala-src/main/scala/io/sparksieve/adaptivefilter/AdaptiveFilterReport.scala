package io.sparksieve.adaptivefilter

import java.util.concurrent.TimeUnit

import io.sparksieve.report.{Moment, Report}

/** What a filter's run has measured, in words. */
private[adaptivefilter] object AdaptiveFilterReport {

  def apply(
      filter: AdaptiveFilter,
      conjuncts: Seq[Conjunct],
      orders: Seq[OrderEvent],
      rowsOut: Long): Seq[Report.Entry] = orders.lastOption.toSeq.flatMap { last =>
    def entry(place: String, detail: String) =
      Report.measured(PlanAdaptiveFilter.Room, filter.nodeName, place, detail)
    val place = Place(filter.child)
    val reorders = filter.metrics("numReorders").value
    val saved = filter.metrics("evaluationsSaved").value
    val millis = TimeUnit.NANOSECONDS.toMillis(filter.metrics("timeSaved").value)
    val executors = orders.map(_.executor).distinct.size
    val whole = entry(
      place,
      f"$rowsOut%,d rows kept; order ${last.order.map(_ + 1).mkString(", ")} of the written one" +
        f"; $reorders%,d new orders on $executors executors; about $saved%,d evaluations and $millis%,d ms saved"
    )
    whole +: last.order.zipWithIndex.map { case (k, i) =>
      entry(
        place,
        s"${i + 1}. ${conjuncts(k).sql}: " +
          s"${percent(last.passRates(k))} pass, ${nanos(last.nanos(k))}")
    }
  }

  /** What was learned of the parts of ORs, and of the ANDs and ORs that these are. */
  def parts(
      filter: AdaptiveFilter,
      conjuncts: Seq[Conjunct],
      histories: Map[Int, PartHistory]): Seq[Report.Entry] = {
    def below(
        conjuncts: Seq[Conjunct],
        histories: Map[Int, PartHistory],
        areOrs: Boolean): Seq[Report.Entry] =
      histories.toSeq.sortBy(_._1).flatMap { case (k, told) =>
        val whole = conjuncts(k)
        val sql = if (areOrs) whole.sql else whole.exclusions.map(_.sql).mkString("(", " AND ", ")")
        val entry = told.history.ordered.lastOption.map { last =>
          val said = last.order.map { p =>
            // What passes an exclusion is what the part of an OR is not true for.
            val isTrue = if (areOrs) 1 - last.passRates(p) else last.passRates(p)
            s"part ${p + 1}: ${percent(isTrue)} true, ${nanos(last.nanos(p))}"
          }
          Report.measured(
            PlanAdaptiveFilter.Room,
            filter.nodeName,
            Place(filter.child),
            s"$sql asks ${said.mkString("; ")}")
        }
        // The parts of an AND that are ORs, or the other way round.
        entry ++ below(whole.exclusions, told.below, !areOrs)
      }
    below(conjuncts, histories, areOrs = true)
  }

  def moments(place: String, conjuncts: Seq[Conjunct], orders: Seq[OrderEvent]): Seq[Moment] = for {
    event <- orders
    (conjunct, k) <- conjuncts.zipWithIndex
  } yield Moment(
    place,
    event.executor,
    event.millis,
    conjunct.sql,
    k + 1,
    event.order.indexOf(k) + 1,
    Some(event.passRates(k)).filterNot(_.isNaN),
    Some(event.nanos(k)).filterNot(_.isNaN)
  )

  private def percent(rate: Double) = if (rate.isNaN) "unknown" else f"${rate * 100}%.1f %%"

  private def nanos(cost: Double) = if (cost.isNaN) "unknown cost" else f"$cost%.1f ns each"
}
