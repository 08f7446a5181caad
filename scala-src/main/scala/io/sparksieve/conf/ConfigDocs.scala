package io.sparksieve.conf

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.Locale

/**
 * Writes the documents that are generated from [[SieveConf]]: the table between
 * `<!-- configs:begin -->` and `<!-- configs:end -->` of the documentation's page of configs, and
 * the Python package's `configs.json`.
 *
 * Arguments: `<page path> <configs.json path> [--check]`. With `--check` nothing is written; if a
 * file is stale, its name is printed and the exit code is 1.
 */
private[sparksieve] object ConfigDocs {
  private val Begin = "<!-- configs:begin -->"
  private val End = "<!-- configs:end -->"

  def main(args: Array[String]): Unit = {
    val (flags, paths) = args.partition(_.startsWith("--"))
    if (paths.length != 2 || flags.exists(_ != "--check")) {
      fail("usage: ConfigDocs <page path> <configs.json path> [--check]")
    }
    val page = Paths.get(paths(0))
    val wanted = Seq(page -> withTable(read(page)), Paths.get(paths(1)) -> json)
    val stale = wanted.filter { case (path, text) => !Files.exists(path) || read(path) != text }
    if (flags.isEmpty) {
      stale.foreach { case (path, text) => Files.write(path, text.getBytes(UTF_8)) }
    } else if (stale.nonEmpty) {
      fail(stale.map(_._1).mkString("stale, run ./sbt configs: ", ", ", ""))
    }
  }

  private def read(path: Path): String = new String(Files.readAllBytes(path), UTF_8)

  private def fail(message: String): Nothing = {
    System.err.println(message)
    sys.exit(1)
  }

  private def withTable(page: String): String = {
    val begin = page.indexOf(Begin)
    val end = page.indexOf(End)
    if (begin < 0 || end < begin) fail(s"the page has no '$Begin' … '$End' to put the table in")
    page.substring(0, begin + Begin.length) + "\n" + table + page.substring(end)
  }

  private[sparksieve] def table: String = SieveConf.all
    .map { k =>
      s"| `${k.key}` | `${k.default}` | ${k.allowed} | ${k.doc} | ${k.since} |"
    }
    .mkString(
      "| config | default | allowed | what it does | since |\n|---|---|---|---|---|\n",
      "\n",
      "\n")

  private[sparksieve] def json: String = SieveConf.all
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
