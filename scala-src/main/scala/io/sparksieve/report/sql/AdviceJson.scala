// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.sql

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}

import io.sparksieve.advice._
import io.sparksieve.advice.layout.{Shares, TableSize}

/**
 * Advice as one JSON document, from which the Python package makes its report. An example with
 * every field; shares are from 0 to 1, and the first layout is the best:
 * {{{
 * {"scope": "session",
 *  "seconds": 12.5,
 *  "queries": [{"id": 1, "text": "events: day = 5", "runs": 2, "seconds": 12.5}],
 *  "tables": [{
 *    "table": "spark_catalog.default.events",
 *    "format": "parquet",
 *    "outcome": "rewrite",
 *    "reason": "sort by day: the queries would read 4 % of the bytes instead of 81 %",
 *    "partition_columns": ["p"],
 *    "size": {"files": 40, "row_groups": 160, "rows": 1000000, "bytes": 12345678},
 *    "sample_rows": 320000,
 *    "today": {"files": 0.9, "row_groups": 0.8, "bytes": 0.81},
 *    "queries": [{"query": 1, "weight": 1.0, "predicates": ["day = 5"], "keys": ["k in 3 ranges"],
 *                 "unused": ["upper(s) = 'X'"],
 *                 "today": {"files": 0.9, "row_groups": 0.8, "bytes": 0.81}}],
 *    "layouts": [{"kind": "sort", "columns": ["day"], "shrink": 1, "text": "sort by day",
 *                 "size": {"files": 40, "row_groups": 160, "rows": 1000000, "bytes": 12345678},
 *                 "read": {"files": 0.05, "row_groups": 0.04, "bytes": 0.04},
 *                 "gain": 0.77, "uncertainty": 0.01, "bytes_to_rewrite": 12345678,
 *                 "language": "python", "statement": "...",
 *                 "queries": [{"query": 1,
 *                              "read": {"files": 0.05, "row_groups": 0.04, "bytes": 0.04}}]}],
 *    "picture": {"column": "day", "low": "1", "high": "365",
 *                "today": [{"from": 0.0, "to": 0.97, "min": "1", "max": "354"}],
 *                "after": [{"from": 0.0, "to": 0.02, "min": "1", "max": "9"}]},
 *    "notes": ["..."]}]}
 * }}}
 * `seconds` is null if no run is known. A declined table has only its name, format, outcome,
 * reason and notes: `size`, `today` and `picture` are null, and the lists are empty.
 */
private[sql] object AdviceJson {

  private val mapper = new ObjectMapper

  def apply(advice: Advice): String = {
    val document = mapper.createObjectNode()
    document.put("scope", advice.scope.name)
    putSeconds(document, advice.seconds)
    fill(document.putArray("queries"), advice.queries) { (node, query) =>
      node.put("id", query.id)
      node.put("text", query.text)
      node.put("runs", query.runs)
      putSeconds(node, query.seconds)
    }
    fill(document.putArray("tables"), advice.tables)(table)
    mapper.writeValueAsString(document)
  }

  private def table(node: ObjectNode, advice: TableAdvice): Unit = {
    node.put("table", advice.table)
    node.put("format", advice.format)
    node.put("outcome", advice.outcome.name)
    node.put("reason", advice.reason)
    strings(node.putArray("partition_columns"), advice.partitionColumns)
    advice.size.fold[Unit] { node.putNull("size"); () }(size(node, _))
    node.put("sample_rows", advice.sampleRows)
    advice.today.fold[Unit] { node.putNull("today"); () }(shares(node, "today", _))
    fill(node.putArray("queries"), advice.queries) { (one, read) =>
      one.put("query", read.query)
      one.put("weight", read.weight)
      strings(one.putArray("predicates"), read.predicates)
      strings(one.putArray("keys"), read.keys)
      strings(one.putArray("unused"), read.unused)
      shares(one, "today", read.today)
    }
    fill(node.putArray("layouts"), advice.layouts)(layout)
    advice.picture.fold[Unit] { node.putNull("picture"); () } { picture =>
      val drawn = node.putObject("picture")
      drawn.put("column", picture.column)
      drawn.put("low", picture.low)
      drawn.put("high", picture.high)
      fill(drawn.putArray("today"), picture.today)(bar)
      fill(drawn.putArray("after"), picture.after)(bar)
    }
    strings(node.putArray("notes"), advice.notes)
  }

  private def layout(node: ObjectNode, advice: LayoutAdvice): Unit = {
    node.put("kind", advice.layout.kind.name)
    strings(node.putArray("columns"), advice.layout.columns)
    node.put("shrink", advice.layout.shrink)
    node.put("text", advice.layout.text)
    size(node, advice.size)
    shares(node, "read", advice.read)
    node.put("gain", advice.gain)
    node.put("uncertainty", advice.uncertainty)
    node.put("bytes_to_rewrite", advice.bytesToRewrite)
    node.put("language", advice.statement.language)
    node.put("statement", advice.statement.text)
    fill(node.putArray("queries"), advice.queries) { case (one, (query, read)) =>
      one.put("query", query)
      shares(one, "read", read)
    }
  }

  private def bar(node: ObjectNode, bar: Picture.Bar): Unit = {
    node.put("from", bar.from)
    node.put("to", bar.to)
    node.put("min", bar.min)
    node.put("max", bar.max)
    ()
  }

  private def size(node: ObjectNode, size: TableSize): Unit = {
    val inside = node.putObject("size")
    inside.put("files", size.files)
    inside.put("row_groups", size.rowGroups)
    inside.put("rows", size.rows)
    inside.put("bytes", size.bytes)
    ()
  }

  private def shares(node: ObjectNode, name: String, shares: Shares): Unit = {
    val inside = node.putObject(name)
    inside.put("files", shares.files)
    inside.put("row_groups", shares.rowGroups)
    inside.put("bytes", shares.bytes)
    ()
  }

  private def putSeconds(node: ObjectNode, seconds: Option[Double]): Unit = {
    seconds.fold(node.putNull("seconds"))(node.put("seconds", _))
    ()
  }

  private def strings(array: ArrayNode, values: Seq[String]): Unit = values.foreach(array.add(_))

  private def fill[T](array: ArrayNode, values: Seq[T])(one: (ObjectNode, T) => Unit): Unit =
    values.foreach(value => one(array.addObject(), value))
}
