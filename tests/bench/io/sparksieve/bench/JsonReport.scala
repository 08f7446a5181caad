// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.ObjectNode

/** The report for programs, as JSON: every sample, in milliseconds. */
object JsonReport {

  private val mapper = new ObjectMapper

  def apply(settings: Settings, results: Seq[CaseResult]): String = {
    val root = mapper.createObjectNode().put("feature", settings.feature)
    strings(root.putObject("settings"), settings.entries)
    val data = root.putArray("data")
    settings.data.foreach { case (d, bytes) =>
      data
        .addObject()
        .put("name", d.name)
        .put("format", d.format)
        .put("rows", d.rows)
        .put("bytes", bytes)
    }
    val cases = root.putArray("cases")
    results.foreach(r => fill(cases.addObject(), r))
    mapper.writerWithDefaultPrettyPrinter.writeValueAsString(root) + "\n"
  }

  private def fill(node: ObjectNode, r: CaseResult): Unit = {
    node.put("name", r.name).put("kind", r.kind.name).put("about", r.about).put("sql", r.sql)
    strings(node.putObject("conf"), r.conf.toSeq.sorted)
    r.target.foreach(node.put("target", _))
    r.reached.foreach(node.put("reached", _))
    r.rows.foreach(node.put("rows", _))
    r.applied.foreach(node.put("applied", _))
    val verdicts = node.putArray("verdicts")
    r.verdicts
      .map(v => s"${v.rule}: ${v.reason.fold("applied")(_.code)}, ${v.place}")
      .distinct
      .foreach(verdicts.add)
    r.kind match {
      case CaseResult.Query =>
        r.ratio(Variant.Off, Variant.On).foreach(node.put("ratio", _))
        r.ratio(Variant.Off, Variant.OffAgain).foreach(node.put("noise", _))
      case CaseResult.Planning =>
        r.growth(Variant.On, PlanningCase.Without).foreach(node.put("growth", _))
        r.growth(Variant.OffAgain, Variant.Off).foreach(node.put("noise", _))
    }
    val variants = node.putArray("variants")
    r.variants.foreach(v => fill(variants.addObject(), v))
    val failures = node.putArray("failures")
    r.failures.foreach(failures.add)
  }

  private def fill(node: ObjectNode, v: CaseResult.OfVariant): Unit = {
    node
      .put("name", v.name)
      .put("median", v.timing.median)
      .put("min", v.timing.min)
      .put("max", v.timing.max)
    val samples = node.putArray("samples")
    v.timing.samples.foreach(samples.add)
    v.target.foreach(node.put("target", _))
    v.shape.foreach { s =>
      node
        .put("scans", s.scans)
        .put("scannedRows", s.scannedRows)
        .put("scannedFiles", s.scannedFiles)
        .put("readBytes", s.activity.readBytes)
        .put("jobs", s.activity.jobs)
        .put("joins", s.joins.mkString(", "))
        .put("aggregates", s.aggregates)
        .put("shuffledBytes", s.shuffledBytes)
        .put("broadcastBytes", s.broadcastBytes)
      val joined = node.putArray("joinRows")
      s.joinRows.foreach { j =>
        joined
          .addObject()
          .put("name", j.name)
          .put("larger", j.larger)
          .put("smaller", j.smaller)
          .put("out", j.out)
      }
      val sieve = node.putObject("sieve")
      s.sieve.foreach { case (k, n) => sieve.put(k, n) }
    }
  }

  private def strings(node: ObjectNode, entries: Seq[(String, String)]): Unit =
    entries.foreach { case (k, v) => node.put(k, v) }
}
