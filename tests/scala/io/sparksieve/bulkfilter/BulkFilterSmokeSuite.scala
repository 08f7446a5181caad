// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.functions._

/** A short test of the feature, run on every supported Spark version. */
class BulkFilterSmokeSuite extends BulkFilterTest {

  test("values of a CSV file and a table, in a tree, are those of IN") {
    val ids = file("ids.csv", "id,name", "1,a", "7,b", "7,b", ",c", "1999,d")
    folder("colours", "parquet", sql("SELECT 'colour 1' AS c UNION ALL SELECT NULL"))
    sql("CREATE OR REPLACE TEMP VIEW blocked AS SELECT 3L AS car, 'x' AS why")
    val in = s"in_file(id, '$ids', map('header', 'true', 'column', 'id'))"
    assertSame(
      s"""SELECT * FROM cars WHERE ($in OR in_file(colour, '$dir/colours'))
         |AND NOT in_table(id, 'blocked.car')""".stripMargin,
      "SELECT * FROM cars WHERE (id IN (1, 7, 1999) OR colour IN ('colour 1')) AND id <> 3"
    )
  }

  test("NULL keys are NULL, in the Column API too") {
    val codes = file("codes.txt", "1", "2")
    val df = spark
      .table("cars")
      .select(col("code"), call_function("in_file", col("code"), lit(codes)).as("found"))
    checkAnswer(df, sql("SELECT code, code IN (1, 2) AS found FROM cars"))
  }

  test("several columns are compared as IN compares rows") {
    folder(
      "pairs",
      "parquet",
      sql("SELECT 'colour 1' AS c, 5 AS n UNION ALL SELECT 'colour 2', 11"))
    val in = s"in_file((colour, code), '$dir/pairs')"
    val oracle = "((colour = 'colour 1' AND code = 5) OR (colour = 'colour 2' AND code = 11))"
    assertSame(s"SELECT id, $in FROM cars", s"SELECT id, $oracle FROM cars")
  }

  test("wrong use is an error of the analysis") {
    val e =
      intercept[AnalysisException](sql("SELECT * FROM cars WHERE in_file(id, '/no/such/file')"))
    assert(e.getMessage.contains("in_file: /no/such/file does not exist."), e)
  }

  test("it is described") {
    val said = sql("DESCRIBE FUNCTION in_file").collect().map(_.getString(0)).mkString("\n")
    assert(said.contains("in_file(key, 'path'[, options])"), said)
  }
}
