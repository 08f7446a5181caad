// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}

import io.sparksieve.conf.ConfigDocs
import io.sparksieve.report.core.ReasonDocs

/**
 * Writes the documents that are generated from the code: those of [[ConfigDocs]], and the reasons
 * and features of [[ReasonDocs]].
 *
 * Arguments: `<page path> <configs.json path> <reasons.json path> [--check]`. With `--check`
 * nothing is written; if a file is stale, its name is printed and the exit code is 1.
 */
private[sparksieve] object GeneratedDocs {

  def main(args: Array[String]): Unit = {
    val (flags, paths) = args.partition(_.startsWith("--"))
    val wanted = paths.map(Paths.get(_)) match {
      case Array(page, configs, reasons) if flags.forall(_ == "--check") =>
        Seq(
          page -> ConfigDocs.withTable(read(page)).fold(fail, identity),
          configs -> ConfigDocs.json,
          reasons -> ReasonDocs.json)
      case _ =>
        fail("usage: GeneratedDocs <page path> <configs.json path> <reasons.json path> [--check]")
    }
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
}
