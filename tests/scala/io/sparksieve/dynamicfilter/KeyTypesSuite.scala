// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.SparkConf
import org.apache.spark.sql.QueryTest
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine

/**
 * Keys of every type, including values that are equal but not identical, through a shuffle and a
 * broadcast, from Parquet and ORC, with generated code and without.
 */
class KeyTypesSuite extends DynamicFilterTest {
  import KeyTypesSuite.Keys

  // Spark 3.5 refuses to write very old dates unless a rebase mode is set.
  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(SQLConf.PARQUET_REBASE_MODE_IN_WRITE.key, "CORRECTED")
      .set(SQLConf.PARQUET_INT96_REBASE_MODE_IN_WRITE.key, "CORRECTED")

  private val types = Seq(
    Keys("BOOLEAN", Seq("true"), Seq("false")),
    Keys("TINYINT", Seq("1", "-128", "127"), Seq("0", "5")),
    Keys("SMALLINT", Seq("1", "-32768", "32767"), Seq("0", "7")),
    Keys("INT", Seq("1", "-2147483648", "2147483647"), Seq("0", "77")),
    Keys("BIGINT", Seq("1", "-9223372036854775808", "9223372036854775807"), Seq("0", "4294967297")),
    Keys("FLOAT", Seq("0.0", "float('NaN')", "1.5"), Seq("-0.0", "-float('NaN')", "2.5")),
    Keys("DOUBLE", Seq("-0.0D", "double('NaN')", "1.5D"), Seq("0.0D", "-double('NaN')", "2.5D")),
    Keys("DECIMAL(9,2)", Seq("1.50", "-99.99", "0"), Seq("1.51", "7")),
    Keys("DECIMAL(18,4)", Seq("1.5", "-99.9999", "0"), Seq("1.5001", "7")),
    Keys("DECIMAL(38,10)", Seq("1.5", "-99999999999999999999.9", "0"), Seq("1.5001", "7")),
    Keys("STRING", Seq("'a'", "''", "'zz'"), Seq("'A'", "'a '", "'y'")),
    Keys("BINARY", Seq("X'61'", "X''", "X'FF00'"), Seq("X'62'", "X'FF'")),
    Keys("CHAR(4)", Seq("'a'", "'bb'", "'cccc'"), Seq("'b'", "'d'")),
    Keys("VARCHAR(4)", Seq("'a'", "'bb'", "'cccc'"), Seq("'b'", "'d'")),
    Keys(
      "DATE",
      Seq("DATE'2020-02-29'", "DATE'1582-10-04'", "DATE'0001-01-01'"),
      Seq("DATE'2021-01-01'", "DATE'1582-10-15'")),
    Keys(
      "TIMESTAMP",
      Seq(
        "TIMESTAMP'2020-02-29 01:02:03.456789'",
        "TIMESTAMP'1500-01-01 00:00:00'",
        "TIMESTAMP'1900-01-01 00:00:00'"),
      Seq("TIMESTAMP'2021-01-01 00:00:00'", "TIMESTAMP'1582-10-15 00:00:00'")
    ),
    Keys(
      "TIMESTAMP_NTZ",
      Seq("TIMESTAMP_NTZ'2020-02-29 01:02:03.456789'", "TIMESTAMP_NTZ'1900-01-01 00:00:00'"),
      Seq("TIMESTAMP_NTZ'2021-01-01 00:00:00'")),
    Keys(
      "INTERVAL DAY TO SECOND",
      Seq("INTERVAL '1 02:03:04.5' DAY TO SECOND"),
      Seq("INTERVAL '2 00:00:00' DAY TO SECOND")),
    Keys(
      "INTERVAL YEAR TO MONTH",
      Seq("INTERVAL '1-2' YEAR TO MONTH"),
      Seq("INTERVAL '3-0' YEAR TO MONTH"))
  )

  /** The types that a format can hold, each with the number of its columns. */
  private def typesOf(format: String): Seq[(Keys, Int)] =
    types.zipWithIndex.filterNot(format == "orc" && _._1.sqlType.startsWith("INTERVAL"))

  /**
   * Two tables of a format with a column for each type. Rows 0 to 2 have the values that are kept,
   * rows 3 to 5 the others, and the rest is NULL.
   */
  private def createTables(format: String): Unit = {
    val typed = typesOf(format)
    def ddl(column: String) =
      typed.map { case (keys, n) => s"$column$n ${keys.sqlType}" }.mkString(", ")
    sql(s"CREATE TABLE ${format}_l (${ddl("x")}, n INT) USING $format")
    sql(s"CREATE TABLE ${format}_r (${ddl("y")}, tag INT) USING $format")
    def value(keys: Keys, row: Int) = {
      val literal =
        if (row < 3) keys.kept.lift(row) else keys.others.lift(row - 3)
      val written = keys.sqlType.replaceAll("(VAR)?CHAR\\(4\\)", "STRING")
      s"CAST(${literal.getOrElse("NULL")} AS $written)"
    }
    val rows = (0 to 6).map { row =>
      val values = typed.map { case (keys, _) => value(keys, row) }
      s"(${values.mkString(", ")}, $row)"
    }
    val columns = typed.map { case (_, n) => s"k$n" }.mkString(", ")
    val all = s"SELECT * FROM VALUES ${rows.mkString(", ")} AS v($columns, row)"
    // Repartitioned by value, so that files can be skipped; each value appears 200 times.
    sql(s"""INSERT INTO ${format}_l SELECT /*+ REPARTITION(6, row) */ $columns, cast(id AS INT)
      FROM ($all), range(200)""")
    sql(s"""INSERT INTO ${format}_r SELECT $columns, CASE WHEN row BETWEEN 3 AND 5 THEN 2 ELSE 1 END
      FROM ($all)""")
  }

  private val formats = Seq("parquet", "orc")

  override def beforeAll(): Unit = {
    super.beforeAll()
    formats.foreach(createTables)
  }

  override def afterAll(): Unit =
    try formats.foreach(f => Seq("l", "r").foreach(t => sql(s"DROP TABLE IF EXISTS ${f}_$t")))
    finally super.afterAll()

  for {
    format <- formats
    (keys, n) <- typesOf(format)
  } {
    test(s"${keys.sqlType} in $format") {
      val tables = s"${format}_l l JOIN ${format}_r r"
      def query = sql(s"SELECT l.x$n, l.n FROM $tables ON l.x$n = r.y$n WHERE r.tag = 1")
      val expected = off(query)
      assert(expected.length == 200 * keys.kept.length + equalOthers(keys))
      for ((threshold, codegen) <- modes(format)) {
        withConf(
          SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
          SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen.toString,
          SQLConf.CODEGEN_FACTORY_MODE.key -> (if (codegen) "CODEGEN_ONLY" else "NO_CODEGEN")
        ) {
          val ran = run(query)
          QueryTest.sameRows(expected, ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))
          // Below a broadcast join, a filter is added only if the scan can skip data.
          if (threshold == "-1") {
            assert(ran.filters.nonEmpty && ran.rowsOut == ran.rows.length, ran.plan)
          }
        }
      }
      checked(sql(s"SELECT l.n, r.tag FROM $tables ON l.x$n <=> r.y$n WHERE r.tag = 1"))
      ()
    }
  }

  /** The rows whose key is another value than one that is kept, but equal to it: -0.0 and NaN. */
  private def equalOthers(keys: Keys): Int =
    if (keys.sqlType == "FLOAT" || keys.sqlType == "DOUBLE") 400 else 0

  // Compiling code takes most of the time.
  private def modes(format: String) =
    if (format == "parquet") Seq("-1" -> true, "10MB" -> false, "-1" -> false)
    else Seq("-1" -> false, "10MB" -> false)

  test("strings of a collation are not collected") {
    assume(TestedLine.atLeast("4.0"))
    withTable("c") {
      sql("CREATE TABLE c (c STRING COLLATE UTF8_LCASE, tag INT) USING parquet")
      sql("INSERT INTO c VALUES ('S70', 1), ('s71', 2), ('s72', 1)")
      shuffled {
        val ran = checked(
          sql(
            """SELECT big.id FROM big JOIN c ON big.s COLLATE UTF8_LCASE = c.c WHERE c.tag = 1"""))
        assert(ran.rows.length == 2 && ran.filters.isEmpty, ran.plan)
      }
    }
  }

  test("keys of unlike types: as Spark casts them") {
    withTable("l", "r") {
      sql(
        "CREATE TABLE l USING parquet AS SELECT cast(id AS INT) AS i, cast(id AS STRING) AS s, " +
          "cast(id AS DECIMAL(10,2)) AS d, cast(id AS SMALLINT) AS t FROM range(1000)")
      sql(
        "CREATE TABLE r USING parquet AS SELECT id + 4294967296 * (id % 2) AS i, " +
          "cast(id AS DOUBLE) AS f, cast(id AS DECIMAL(20,5)) AS d, id % 3 AS tag FROM range(1000)")
      shuffled {
        for (on <- Seq(
            "l.i = r.i",
            "l.t = r.i",
            "l.d = r.d",
            "l.i = r.f",
            "l.s = r.i",
            "l.i = r.d")) {
          val ran = checked(sql(s"SELECT l.i, r.tag FROM l JOIN r ON $on WHERE r.tag = 1"))
          assert(ran.rows.nonEmpty, on)
          if (on != "l.s = r.i") assert(ran.filters.nonEmpty, s"$on\n${ran.plan}")
        }
      }
    }
  }
}

private object KeyTypesSuite {

  /** A type, the values that the small side keeps, and other values that both sides also hold. */
  final case class Keys(sqlType: String, kept: Seq[String], others: Seq[String])
}
