// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.nio.file.{Files, Path, Paths}
import java.util.Locale

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.functions.col

import io.sparksieve.conf.SieveConf

/** Nothing that Sieve writes depends on the locale of the JVM, which readers do not know. */
class LocaleSuite extends SieveTest {

  private def inLocale[T](tag: String)(body: => T): T = {
    val before = Locale.getDefault
    Locale.setDefault(Locale.forLanguageTag(tag))
    try body
    finally Locale.setDefault(before)
  }

  /** Runs the query, and returns the details of its report without times. */
  private def details(query: String): Seq[String] = {
    sql(query).collect()
    sql(s"""SELECT detail FROM sieve_report("$query")""")
      .collect()
      .map(_.getString(0).replaceAll("[0-9.,]+ (ms|ns|s\\b)", "$1"))
      .toSeq
  }

  test("a report on a German or Arabic JVM has the numbers of any other") {
    withTempPath { dir =>
      val (fact, dim) = (s"$dir/fact", s"$dir/dim")
      spark
        .range(0, 40000, 1, 1)
        .select(col("id").as("k"), (col("id") % 10).as("v"))
        .write
        .parquet(fact)
      spark
        .range(0, 2000, 1, 1)
        .select(col("id").as("k"), (col("id") % 10).as("w"))
        .write
        .parquet(dim)
      val query = s"SELECT * FROM parquet.`$fact` JOIN parquet.`$dim` USING (k) WHERE w < 7"
      withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key -> "0") {
        val expected = inLocale("en")(details(query))
        assert(expected.exists(_.contains(",000 rows read")), expected)
        assert(expected.exists(_.contains("1,400 keys (")), expected)
        Seq("de", "ar-EG-u-nu-arab").foreach { tag =>
          assert(inLocale(tag)(details(query)) == expected, tag)
        }
      }
    }
  }

  private def sources: Seq[Path] = {
    val found = Files.walk(Paths.get("scala-src", "main"))
    try found.iterator.asScala.filter(_.toString.endsWith(".scala")).toList
    finally found.close()
  }

  // The f interpolator has no locale of its own; `$f"` or `}f"` ends another interpolated text.
  private val ByLocale = Seq(
    "(?<![A-Za-z0-9_$}])f\"".r,
    "\"\\.format(ted)?\\(".r,
    "String\\.format\\((?!Locale\\.ROOT)".r,
    "\\.to(Lower|Upper)Case\\b(?!\\((java\\.util\\.)?Locale\\.ROOT\\))".r
  )

  test("sources format numbers and change case with Locale.ROOT, never with the JVM's locale") {
    assert(sources.size > 100)
    val found = for {
      file <- sources
      (line, i) <- Files.readAllLines(file).asScala.zipWithIndex
      if ByLocale.exists(_.findFirstIn(line).nonEmpty)
    } yield s"$file:${i + 1}: ${line.trim}"
    assert(found.isEmpty, found.mkString("\n", "\n", "\nUse io.sparksieve.common.Numbers."))
  }
}
