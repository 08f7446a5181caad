// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import org.apache.spark.sql.QueryTest

/** Keys of every type, from text, Parquet, ORC and tables, compared with Spark's own IN. */
class KeyTypesOfFilesSuite extends BulkFilterTest {

  /** Compares the keys `all` with a file of the values `in`; both are SQL literals. */
  private def assertType(dataType: String, in: Seq[String], all: Seq[String]): Unit = {
    val rows = (all.map(v => s"SELECT CAST($v AS $dataType) AS k") :+
      s"SELECT CAST(NULL AS $dataType) AS k").mkString(" UNION ALL ")
    folder("keys", "parquet", sql(rows).coalesce(1))
    spark.read.parquet(s"$dir/keys").createOrReplaceTempView("keys")
    val values =
      (in :+ "NULL").map(v => s"SELECT CAST($v AS $dataType) AS v").mkString(" UNION ALL ")
    for (format <- Seq("parquet", "orc", "table"))
      withClue(s"$dataType in $format: ") {
        val call =
          if (format == "table") {
            sql(values).createOrReplaceTempView("listed")
            "in_table(k, 'listed.v')"
          } else s"in_file(k, '${folder(s"values.$format", format, sql(values).coalesce(1))}')"
        assertSame(
          s"SELECT k, $call, NOT $call FROM keys",
          s"SELECT k, k IN (${in.map(v => s"CAST($v AS $dataType)").mkString(", ")}), " +
            s"k NOT IN (${in.map(v => s"CAST($v AS $dataType)").mkString(", ")}) FROM keys"
        )
      }
  }

  test("integers") {
    for (t <- Seq("TINYINT", "SMALLINT", "INT", "BIGINT"))
      assertType(t, Seq("1", "-5", "100"), Seq("1", "2", "-5", "0", "100", "-1"))
  }

  test("dates and times") {
    val days = Seq("'2020-02-29'", "'1582-10-01'", "'1969-12-31'", "'9999-12-31'")
    // Writes old dates without rebasing. By default, Spark 3.5 refuses to write them.
    withConf(
      "spark.sql.parquet.datetimeRebaseModeInWrite" -> "CORRECTED",
      "spark.sql.parquet.int96RebaseModeInWrite" -> "CORRECTED") {
      for (t <- Seq("DATE", "TIMESTAMP", "TIMESTAMP_NTZ")) assertType(t, days.take(2), days)
    }
  }

  test("strings and binary") {
    val words = Seq("'a'", "''", "'ä€𝄞'", "'a '", "repeat('x', 1000)")
    for (t <- Seq("STRING", "BINARY")) assertType(t, words.take(3), words)
  }

  test("decimals") {
    for (t <- Seq("DECIMAL(5,2)", "DECIMAL(18,0)", "DECIMAL(38,10)"))
      assertType(t, Seq("1", "-2.50"), Seq("1", "-2.5", "2.5", "0"))
  }

  test("booleans, floats and doubles, as SQL's = has them") {
    assertType("BOOLEAN", Seq("true"), Seq("true", "false"))
    for (t <- Seq("FLOAT", "DOUBLE")) {
      assertType(t, Seq("'NaN'", "0.0", "1.5"), Seq("'NaN'", "-0.0", "0.0", "1.5", "'Infinity'"))
      assertType(t, Seq("-0.0", "'-Infinity'"), Seq("0.0", "'-Infinity'", "'NaN'"))
    }
  }

  test("text is parsed as the key's type") {
    sql("SELECT 1.5D AS x, DATE'2020-01-01' AS d, CAST(12.30 AS DECIMAL(6,2)) AS m, true AS b")
      .createOrReplaceTempView("typed")
    def in(key: String, value: String) = s"in_file($key, '${file(s"$key.csv", value)}')"
    assertSame(
      s"SELECT ${in("x", "1.50")}, ${in("d", "2020-01-01")}, ${in("m", "12.3")}, ${in("b", "true")} FROM typed",
      "SELECT true, true, true, true")
    val fine = file("fine.csv", "12.305")
    val e = intercept[Exception](sql(s"SELECT in_file(m, '$fine') FROM typed").collect())
    assert(e.getMessage.contains("'12.305'"), e)
    for (timed <- Seq("2020-01-01T12:30:00", "2020-01-01 and so on")) {
      val days = file("days.csv", "2020-01-01 00:00:00", timed)
      val e = intercept[Exception](sql(s"SELECT in_file(d, '$days') FROM typed").collect())
      assert(e.getMessage.contains(s"'$timed'"), e)
    }
  }

  test("JSON, compressed text, and folders of partitions") {
    val json = file("ids.json", """{"id": 5, "s": "x"}""", """{"id": "7"}""", """{"s": "y"}""")
    assertSame(
      s"SELECT * FROM cars WHERE in_file(id, '$json', map('column', 'id'))",
      "SELECT * FROM cars WHERE id IN (5, 7)")
    sql("SELECT '3' AS v UNION ALL SELECT '4'").write
      .mode("overwrite")
      .option("compression", "gzip")
      .text(s"$dir/zipped")
    assertSame(
      s"SELECT * FROM cars WHERE in_file(id, '$dir/zipped')",
      "SELECT * FROM cars WHERE id IN (3, 4)")
    sql("SELECT 'x' AS v, 9 AS part UNION ALL SELECT 'y', 10").write
      .mode("overwrite")
      .partitionBy("part")
      .parquet(s"$dir/parts")
    assertSame(
      s"SELECT * FROM cars WHERE in_file(id, '$dir/parts', map('column', 'part'))",
      "SELECT * FROM cars WHERE id IN (9, 10)")
  }

  test("CHAR columns are compared as SQL does, whatever the spaces in the file") {
    sql("CREATE TABLE chars(c CHAR(5)) USING parquet")
    try {
      sql("INSERT INTO chars VALUES ('ab'), ('abcde'), (NULL)")
      val path = file("chars.csv", "ab", "abcde")
      QueryTest
        .sameRows(
          sql("SELECT c = 'ab' OR c = 'abcde' FROM chars").collect().toSeq,
          ran(sql(s"SELECT in_file(c, '$path') FROM chars"))._1)
        .foreach(d => fail(d))
    } finally sql("DROP TABLE chars")
  }

  test("rows of several columns with NULLs are known and unknown as in IN") {
    folder(
      "pairs",
      "parquet",
      sql("SELECT 1 AS x, 'a' AS y, 1.0D AS z UNION ALL SELECT 2, 'b', -0.0D"))
    val rows = for {
      x <- Seq("1", "2", "3", "NULL")
      y <- Seq("'a'", "'b'", "'c'", "NULL")
      z <- Seq("1.0D", "0.0D", "NULL")
    } yield s"($x, $y, $z)"
    sql(s"SELECT * FROM VALUES ${rows.mkString(", ")} AS t(x, y, z)")
      .createOrReplaceTempView("triples")
    val oracle = "((x = 1 AND y = 'a' AND z = 1.0D) OR (x = 2 AND y = 'b' AND z = 0.0D))"
    assertSame(
      s"SELECT *, in_file((x, y, z), '$dir/pairs') FROM triples",
      s"SELECT *, $oracle FROM triples")
    assertSame(
      s"SELECT * FROM triples WHERE NOT in_file(struct(x, y, z), '$dir/pairs')",
      s"SELECT * FROM triples WHERE NOT $oracle")
  }
}
