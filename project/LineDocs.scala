// SPDX-License-Identifier: Apache-2.0
import sbt.*

/** The table of Spark lines as JSON, for the documentation: `docs/lines.json`. */
object LineDocs {

  /** Writes the file below `root`; with `--check` among the `words`, fails if it is stale. */
  def update(root: File, words: Seq[String]): Unit = {
    val file = root / "docs" / "lines.json"
    val stale = !file.exists || IO.read(file) != json
    if (stale && words.contains("--check"))
      throw new MessageOnlyException("stale, run ./sbt configs: docs/lines.json")
    if (stale) IO.write(file, json)
  }

  private def json: String =
    SparkVersions.all.map(entry).mkString("[\n", ",\n", "\n]\n")

  private def entry(line: SparkLine): String = {
    val lakes = line.lakes.map(m => s"${m.name.takeWhile(_ != '-').capitalize} ${m.revision}")
    Seq(
      "spark" -> quoted(line.spark),
      "minor" -> quoted(line.minor),
      "scala" -> quoted(line.scala),
      "scala_binary" -> quoted(line.scalaBinary),
      "java" -> line.javaRelease.toString,
      "lakes" -> lakes.map(quoted).mkString("[", ", ", "]"),
      "full" -> line.full.toString,
      "default" -> (line == SparkVersions.default).toString
    ).map { case (name, value) => s"    ${quoted(name)}: $value" }.mkString("  {\n", ",\n", "\n  }")
  }

  // Versions and names of modules hold nothing that JSON would escape.
  private def quoted(text: String): String = "\"" + text + "\""
}
