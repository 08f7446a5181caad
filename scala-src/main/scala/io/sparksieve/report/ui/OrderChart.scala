// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.xml.{Node, NodeSeq}

import io.sparksieve.common.Numbers

// scalafix:off DisableSyntax.noXml

/**
 * A step chart of the orders of an adaptive filter's predicates: time from left to right, the
 * predicate that is evaluated first at the top; one chart for each filter and executor.
 */
private[ui] object OrderChart {
  import Html._

  def apply(orders: Seq[QueryOrder]): NodeSeq = {
    val filters = orders.groupBy(o => (o.place, o.executor)).toSeq.sortBy(_._1).take(MostCharts)
    section("Order of predicates over time", filters)(filters.flatMap {
      case ((place, executor), mine) => chart(place, executor, mine)
    })
  }

  private def chart(place: String, executor: String, orders: Seq[QueryOrder]): NodeSeq = {
    val predicates = orders.sortBy(o => (o.millis, o.position)).map(_.predicate).distinct
    val first = orders.map(_.millis).min
    val span = math.max(1L, orders.map(_.millis).max - first)
    val height = RowHeight * predicates.size
    def x(millis: Long) = (millis - first) * (Width - 2 * Margin) / span + Margin
    def y(position: Int) = (position - 1) * RowHeight + RowHeight / 2
    val steps = predicates.zipWithIndex.map { case (predicate, i) =>
      val mine = orders.filter(_.predicate == predicate).sortBy(_.millis)
      val corners = mine.map(_.position).zip(mine.map(_.millis)).foldLeft("") {
        case ("", (position, at)) => s"M ${x(at)} ${y(position)}"
        case (path, (position, at)) => s"$path H ${x(at)} V ${y(position)}"
      }
      (predicate, Colours(i % Colours.size), s"$corners H $Width")
    }
    <div>
      <p>{s"$place, executor $executor, ${Numbers.time(span)}"}</p>
      <svg width={Width.toString} height={height.toString} role="img"
           aria-label="Position of each predicate over time, the first at the top">
        {
      steps.map { case (predicate, colour, path) =>
        <path d={path} fill="none" stroke={colour} stroke-width="3"><title>{
          predicate
        }</title></path>
      }
    }
      </svg>
      <ul class="list-unstyled">{
      steps.map { case (predicate, colour, _) =>
        legend(predicate, colour)
      }
    }</ul>
    </div>
  }

  private def legend(predicate: String, colour: String): Node =
    <li><span style={s"color: $colour"}>{"■ "}</span><code>{predicate}</code></li>

  private final val MostCharts = 8
  private final val Width = 640
  private final val Margin = 4
  private final val RowHeight = 24

  // Distinct on white and on black, and to those who see red and green alike.
  private val Colours =
    Seq("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999")
}
