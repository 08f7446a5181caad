// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.SparkException
import org.apache.spark.sql.AnalysisException

/** Invalid calls and invalid files: the error messages, and whether analysis or execution fails. */
class KeyErrorsSuite extends BulkFilterTest {

  /** Asserts that analysis of a predicate over cars fails with a message that contains `said`. */
  private def assertRefused(where: String)(said: String*): Unit = {
    val e = intercept[AnalysisException](sql(s"SELECT * FROM cars WHERE $where"))
    said.foreach(s => assert(e.getMessage.contains(s), e.getMessage))
  }

  test("arguments") {
    val ids = file("ids.txt", "1")
    assertRefused("in_file(id)")("takes a key, 'path'", "not 1 arguments")
    assertRefused(s"in_file(id, '$ids', 'x')")("must be a map of strings")
    assertRefused("in_file(id, colour)")("'path' must be constant", "colour")
    assertRefused("in_file(id, '')")("must be a string that is not empty")
    assertRefused("in_file(id, NULL)")("must be a string that is not empty")
    assertRefused(s"in_file(id, '$ids', map('invalid', 'maybe'))")(
      "must be fail or skip, not 'maybe'")
    assertRefused(s"in_file(id, '$ids', map('column', ''))")("option 'column' is empty")
    assertRefused(s"in_file(id, '$ids', map('column', 'a,b'))")(
      "the key has 1 column and",
      "names 2")
    assertRefused(s"in_file(id, '$ids', map('column', 'nope'))")(
      "no column nope",
      "has the columns value")
    assertRefused("in_table(id, 'cars.id', map('header', 'true'))")("knows the options", "'header'")
  }

  test("options that are misspelt name the nearest; others go to Spark's reader") {
    val ids = file("spelled.csv", "1")
    val meant = Seq(
      "colunm" -> "column",
      "Columns" -> "column",
      "fromat" -> "format",
      "invald" -> "invalid",
      "haeder" -> "header",
      "sepp" -> "sep",
      "nulValue" -> "nullValue")
    for ((wrong, right) <- meant) {
      assertRefused(s"in_file(id, '$ids', map('$wrong', 'x'))")(
        s"in_file: there is no option '$wrong'; the nearest is '$right'.")
    }
    assertRefused("in_table(id, 'cars.id', map('colunm', 'id'))")(
      "in_table: there is no option 'colunm'; the nearest is 'column'.")
    for (option <- Seq("HEADER", "sep", "mode", "nanValue", "fs.x.key", "quoteAll", "other"))
      sql(s"SELECT * FROM cars WHERE in_file(id, '$ids', map('$option', 'true'))")
  }

  test("files") {
    assertRefused("in_file(id, '/no/such/file')")("/no/such/file does not exist")
    val two = file("two.csv", "1,a")
    assertRefused(s"in_file(id, '$two')")("_c0, _c1", "option 'column'", "'header'")
    val broken = file("broken.parquet", "this is no Parquet")
    assertRefused(s"in_file(id, '$broken')")("broken.parquet cannot be read")
    val ids = file("ids2.txt", "1")
    assertRefused(s"in_file(id, '$ids', map('format', 'nonsense'))")("cannot be read", "nonsense")
    new java.io.File(dir, "empty").mkdir()
    assertRefused(s"in_file(id, '$dir/empty', map('format', 'parquet'))")("cannot be read")
  }

  test("tables") {
    assertRefused("in_table(id, 'nowhere.id')")("there is no table nowhere")
    assertRefused("in_table(id, 'cars.nope')")("no column nope", "cars has the columns id, colour")
    assertRefused("in_table(id, 'cars')")("cars has the columns", "option 'column'")
    assertRefused("in_table(id, 'a b c')")("is no name of a table")
  }

  test("types that are not compared, and keys that are not held") {
    folder("floats", "parquet", sql("SELECT 1.5D AS x"))
    assertRefused(s"in_file(colour, '$dir/floats')")("x of", "DOUBLE", "STRING", "cast the key")
    folder("nested", "parquet", sql("SELECT array(1) AS x"))
    assertRefused(s"in_file(id, '$dir/nested')")("ARRAY<INT>", "BIGINT")
    assertRefused(s"in_file(array(id), '$dir/nested')")("ARRAY<BIGINT>", "atomic types")
    assertRefused(s"in_file(NULL, '$dir/floats')")("VOID", "cast the key")
  }

  test("values that are none of the key's type: an error with file, column and value, or skipped") {
    val path = file("mixed.csv", "id", "1", "twelve", "", "7", "1.5")
    val options = "'header', 'true'"
    val e = intercept[SparkException] {
      sql(s"SELECT * FROM cars WHERE in_file(id, '$path', map($options))").collect()
    }
    Seq("in_file: the value 'twelve' of column id in", "mixed.csv", "BIGINT", "'invalid' = 'skip'")
      .foreach(s => assert(e.getMessage.contains(s), e.getMessage))
    assertSame(
      s"SELECT * FROM cars WHERE in_file(id, '$path', map($options, 'invalid', 'skip'))",
      "SELECT * FROM cars WHERE id IN (1, 7)")
    folder("longs", "parquet", sql("SELECT 3000000000L AS x UNION ALL SELECT 5L"))
    val big = intercept[SparkException] {
      sql(s"SELECT * FROM cars WHERE in_file(code, '$dir/longs')").collect()
    }
    assert(big.getMessage.contains("'3000000000' of column x"), big.getMessage)
    assertSame(
      s"SELECT * FROM cars WHERE in_file(code, '$dir/longs', map('invalid', 'skip'))",
      "SELECT * FROM cars WHERE code = 5")
  }
}
