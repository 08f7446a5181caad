package io.sparksieve.dynamicfilter

import org.apache.spark.{SPARK_VERSION, SparkConf}
import org.apache.spark.sql.internal.SQLConf

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

  private def withKeys(keys: Keys, format: String)(body: => Unit): Unit =
    withTable("l", "r") {
      def values(kept: Boolean, literals: Seq[String]) =
        literals.map(v =>
          s"(CAST($v AS ${keys.sqlType.replaceAll("CHAR\\(4\\)|VARCHAR\\(4\\)", "STRING")}), $kept)")
      sql(s"CREATE TABLE l (x ${keys.sqlType}, n INT) USING $format")
      sql(s"CREATE TABLE r (y ${keys.sqlType}, keep BOOLEAN, tag INT) USING $format")
      val all =
        values(kept = true, keys.kept) ++ values(kept = false, keys.others) :+ "(NULL, true)"
      val rows = s"SELECT * FROM VALUES ${all.mkString(", ")} AS v(k, keep)"
      // Repartitioned by value, so that files can be skipped; each value appears 200 times.
      sql(s"""INSERT INTO l SELECT /*+ REPARTITION(6, k) */ k, cast(id AS INT)
        FROM ($rows), range(200)""")
      sql(s"INSERT INTO r SELECT k, keep, CASE WHEN keep THEN 1 ELSE 2 END FROM ($rows)")
      body
    }

  for {
    keys <- types
    format <- Seq("parquet", "orc")
    if !(format == "orc" && keys.sqlType.startsWith("INTERVAL"))
  } {
    test(s"${keys.sqlType} in $format") {
      withKeys(keys, format) {
        for ((threshold, codegen) <- modes(format)) {
          withConf(
            SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
            SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen.toString,
            SQLConf.CODEGEN_FACTORY_MODE.key -> (if (codegen) "CODEGEN_ONLY" else "NO_CODEGEN")
          ) {
            val ran = checked(sql("SELECT l.x, l.n FROM l JOIN r ON l.x = r.y WHERE r.tag = 1"))
            assert(ran.rows.nonEmpty)
            // Below a broadcast join, a filter is added only if the scan can skip data.
            if (threshold == "-1") {
              assert(ran.filters.nonEmpty && ran.rowsOut == ran.rows.length, ran.plan)
            }
          }
        }
        checked(sql("SELECT l.n, r.tag FROM l JOIN r ON l.x <=> r.y WHERE r.tag = 1"))
        ()
      }
    }
  }

  // Compiling code takes most of the time.
  private def modes(format: String) =
    if (format == "parquet") Seq("-1" -> true, "10MB" -> false, "-1" -> false)
    else Seq("-1" -> false, "10MB" -> false)

  test("strings of a collation are not collected") {
    assume(!SPARK_VERSION.startsWith("3."))
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
