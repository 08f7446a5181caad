// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.conf

import java.util.Locale

/**
 * The documents that are generated from [[SieveConf]]: the table between `<!-- configs:begin -->`
 * and `<!-- configs:end -->` of the documentation's page of configs, and the Python package's
 * `configs.json`.
 */
private[sparksieve] object ConfigDocs {
  private val Begin = "<!-- configs:begin -->"
  private val End = "<!-- configs:end -->"

  /** The page with the table of today; Left says why the page has no place for it. */
  def withTable(page: String): Either[String, String] = {
    val begin = page.indexOf(Begin)
    val end = page.indexOf(End)
    if (begin < 0 || end < begin) Left(s"the page has no '$Begin' … '$End' to put the table in")
    else Right(page.substring(0, begin + Begin.length) + "\n" + table + page.substring(end))
  }

  def table: String = SieveConf.all
    .map { k =>
      s"| `${k.key}` | `${k.default}` | ${k.allowed} | ${k.doc} | ${k.since} |"
    }
    .mkString(
      "| config | default | allowed | what it does | since |\n|---|---|---|---|---|\n",
      "\n",
      "\n")

  def json: String = SieveConf.all
    .map { k =>
      Seq(
        "key" -> k.key,
        "type" -> k.kind,
        "default" -> k.default,
        "allowed" -> k.allowed,
        "doc" -> k.doc,
        "since" -> k.since)
        .map { case (name, value) => s"    ${quoted(name)}: ${quoted(value)}" }
        .mkString("  {\n", ",\n", "\n  }")
    }
    .mkString("[\n", ",\n", "\n]\n")

  private def quoted(text: String): String =
    "\"" + text.flatMap {
      case '"' => "\\\""
      case '\\' => "\\\\"
      case c if c < ' ' => String.format(Locale.ROOT, "\\u%04x", Int.box(c.toInt))
      case c => c.toString
    } + "\""
}
