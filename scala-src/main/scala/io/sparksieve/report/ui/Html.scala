// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import scala.xml.{Node, NodeSeq, Text}

import io.sparksieve.common.Numbers
import io.sparksieve.report.core.{Gains, Outcome}

// scalafix:off DisableSyntax.noXml

/** The parts of the tab's pages, in the classes of Spark's own style sheet. */
private[ui] object Html {

  def paragraph(text: String): NodeSeq = paragraph(Text(text))

  def paragraph(content: NodeSeq): NodeSeq = <p>{content}</p>

  /** A part of a page about `rows`; nothing if there are none. */
  def section(title: String, rows: Seq[_])(content: => NodeSeq): NodeSeq =
    if (rows.isEmpty) NodeSeq.Empty else <div><h4>{title}</h4>{content}</div>

  def table(headers: String*)(rows: Seq[Seq[NodeSeq]]): NodeSeq =
    <div style="overflow-x: auto">
      <table class="table table-bordered table-sm table-striped">
        <thead><tr>{headers.map(h => <th>{h}</th>)}</tr></thead>
        <tbody>{rows.map(row => <tr>{row.map(cell => <td>{cell}</td>)}</tr>)}</tbody>
      </table>
    </div>

  def link(address: String, text: String): Node = <a href={address}>{text}</a>

  def code(text: String): Node = <code>{text}</code>

  def lines(all: Seq[String]): NodeSeq = all.map(line => <div>{line}</div>)

  /** A text without spaces that may be long: a path is broken between its parts only. */
  def name(text: String): NodeSeq =
    text.split("(?<=/)").toSeq.flatMap(part => Seq[Node](Text(part), <wbr/>))

  def right(n: Long): NodeSeq = aligned(Numbers.count(n))

  def share(part: Long, whole: Long): NodeSeq = aligned(
    if (whole == 0) "" else Numbers.percent(part.toDouble / whole))

  def duration(millis: Long): NodeSeq = aligned(Numbers.time(millis))

  private def aligned(text: String): NodeSeq = <div class="text-right text-end">{text}</div>

  /** The name of an outcome, in a colour of Spark's style sheet. */
  def outcome(name: String): NodeSeq = {
    val colour = if (name == Outcome.Applied.name) "text-success" else "text-muted"
    <span class={colour}>{name}</span>
  }

  /** What operators saved, in sentences; what is 0 is left out. */
  def saved(gains: Gains): String = Seq(
    gains.filesSkipped -> s"Skipped ${Numbers.of(gains.filesSkipped, gains.files, "file")}.",
    gains.rowsDropped ->
      s"Dropped ${Numbers.counted(gains.rowsDropped, "row")} before joins.",
    gains.millis ->
      s"The order of predicates saved about ${Numbers.time(gains.millis)} of the tasks' time."
  ).collect { case (n, text) if n > 0 => text }.mkString(" ")
}
