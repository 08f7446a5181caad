// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.execution.FileSourceScanExec

import io.sparksieve.adaptivefilter.GeneratedBlocks
import io.sparksieve.adaptivefilter.exec.AdaptiveFilter

/** Leaves that look up blocks of keys. */
class KeyBlocksSuite extends BulkFilterTest {

  // Far apart, so that the sets are hashed.
  private val ids = (0L until 2000L by 3).map(_.toString) :+ (1L << 50).toString
  private val codes = (0 until 500 by 4).map(_.toString) :+ "2000000000"
  private val others = (1L until 2000L by 2).map(_.toString) :+ (1L << 45).toString

  private def inBlocks(query: String): Int = {
    val plan = ran(sql(query))._2
    val scan = collect(plan) { case s: FileSourceScanExec => s }.head
    collect(plan) { case f: AdaptiveFilter => f }.map(GeneratedBlocks.of(_, scan.output)).sum
  }

  test("leaves under AND, OR and NOT, with NULL keys, are evaluated in blocks") {
    val (a, b, c) = (file("a.csv", ids: _*), file("b.csv", codes: _*), file("c.csv", others: _*))
    def tree(a: String, b: String, c: String, d: String) =
      s"(($a OR $b) AND NOT $c) OR NOT $d"
    val filter = tree(
      s"in_file(id, '$a')",
      s"in_file(code, '$b')",
      s"in_file(id + 1, '$c')",
      s"in_file(code + 1, '$b')")
    def in(key: String, values: Seq[String]) =
      s"$key IN (${values.map(v => s"${v}L").mkString(", ")})"
    val plain = tree(in("id", ids), in("code", codes), in("id + 1", others), in("code + 1", codes))
    assert(inBlocks(s"SELECT id FROM cars WHERE $filter") == 4)
    assertSame(s"SELECT id FROM cars WHERE $filter", s"SELECT id FROM cars WHERE $plain")
    assertSame(
      s"SELECT id FROM cars WHERE NOT ($filter)",
      s"SELECT id FROM cars WHERE NOT ($plain)")
  }

  test("values that are close together, and keys of several columns, are evaluated row by row") {
    val close = file("close.csv", (1 to 100).map(_.toString): _*)
    folder("pairs", "parquet", sql("SELECT id, brand FROM cars WHERE id % 3 = 0"))
    for (leaf <- Seq(s"in_file(id, '$close')", s"in_file(struct(id, brand), '$dir/pairs')"))
      assert(inBlocks(s"SELECT id FROM cars WHERE ($leaf OR colour LIKE '%7') AND id > 3") == 0)
  }
}
