// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.nio.file.{Files, Path}

/** The tables of TPC-DS at scale factor 1, which `tests/bench/tpcds.py` writes once. */
object TpcDsFiles extends Source {

  private val home: Path = Tables.Home.resolve("tpcds-1")

  /** The file of a table. */
  def file(table: String): Path = home.resolve(s"$table.parquet")

  override def ensure(): Unit = if (!Files.isDirectory(home)) {
    val python = sys.props.getOrElse(
      "sieve.bench.python",
      throw new IllegalStateException(
        "TPC-DS needs a Python with DuckDB, which ./sbt bench prepares for these features."))
    println("    generating TPC-DS, once")
    val words = Seq(python, "tests/bench/tpcds.py", home.toString, "1")
    val code = new ProcessBuilder(words: _*).inheritIO().start().waitFor()
    if (code != 0) throw new IllegalStateException(s"tpcds.py ended with exit code $code.")
  }
}
