// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import java.sql.DriverManager

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.connector.{
  AdvancedDataSourceV2,
  AdvancedDataSourceV2WithV2Filter,
  SimpleDataSourceV2
}
import org.apache.spark.sql.connector.catalog.InMemoryTableCatalog
import org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.{FilteredScanSource, PrunedScanSource, SimpleScanSource}
import org.apache.spark.sql.types.StructType

import io.sparksieve.report.core.NotPushedReason

/** JDBC (Derby, in memory), sources of both APIs from Spark's own tests, and rows in memory. */
class SourcePushdownSuite extends PushdownTest {

  private val url = "jdbc:derby:memory:sieve;create=true"

  override def beforeAll(): Unit = {
    super.beforeAll()
    val connection = DriverManager.getConnection(url)
    try {
      val statement = connection.createStatement()
      statement.execute("CREATE TABLE APP.PEOPLE (ID INT, NAME VARCHAR(20))")
      statement.execute("INSERT INTO APP.PEOPLE VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    } finally connection.close()
  }

  private def people(options: (String, String)*) = spark.read
    .format("jdbc")
    .options(Map("url" -> url, "dbtable" -> "APP.PEOPLE") ++ options)
    .load()

  test("JDBC: what is in the database's WHERE, and what is not") {
    checkAnswer(people().where("id > 1 AND upper(name) = 'B'"), Row(2, "b"))
    assertSaid(people().where("id > 1"))("id > 1: pushed")
    assertSaid(people().where("id > 1 OR name = 'x'"))("(id > 1) OR (name = 'x'): pushed")
    assertSaid(people().where("name LIKE 'a%'"))("startswith(name, 'a'): pushed")
    assertSaid(people().where("id > 1 AND upper(name) = 'B'"))(
      "id > 1: pushed",
      "name IS NOT NULL: pushed",
      "upper(name) = 'B': spark computed")
    assertLeft(NotPushedReason.CastOnColumn)(people().where("CAST(id AS STRING) = '1'"))
    assertLeft(NotPushedReason.TwoColumns)(people().where("id = length(name)"))
    assertLeft(NotPushedReason.SwitchedOff, "pushDownPredicate")(
      people("pushDownPredicate" -> "false").where("id > 1"))
    val scan = explained(people().where("id > 1")).head
    assert((scan.source, scan.place) == (("jdbc", "APP.PEOPLE")))
  }

  test("JDBC as a catalog: functions and casts too, as far as the database has them") {
    val driver = DriverManager.getDriver(url).getClass.getName
    withSQLConf(
      "spark.sql.catalog.derby" -> classOf[JDBCTableCatalog].getName,
      "spark.sql.catalog.derby.url" -> url,
      "spark.sql.catalog.derby.driver" -> driver
    ) {
      def where(condition: String) =
        sql(s"SELECT * FROM derby.APP.PEOPLE WHERE $condition")
      assertSaid(where("id > 1"))("id > 1: pushed")
      // Spark 3.5 does not push sums that may wrap around.
      withSQLConf(SQLConf.ANSI_ENABLED.key -> "true") {
        assertSaid(where("id + 1 = 2"))("(id + 1) = 2: pushed")
      }
      assertSaid(sql("SELECT count(*) FROM derby.APP.PEOPLE WHERE id > 1"))("id > 1: pushed")
      assertLeft(NotPushedReason.SourceDeclines)(where("upper(name) = 'B'"))
      assertLeft(NotPushedReason.Pattern)(where("name LIKE '%a_b%'"))
      spark.udf.register("plus", (x: Int) => x + 1)
      assertLeft(NotPushedReason.Udf, "plus")(where("plus(id) = 3"))
      val scan = explained(where("id > 1")).head
      assert((scan.source, scan.place) == (("jdbc", "derby.APP.PEOPLE")))
    }
  }

  private def source(format: Class[_]) = spark.read.format(format.getName).load()

  test("the second API: a source that answers some predicates and declines others") {
    for (format <- Seq(classOf[AdvancedDataSourceV2], classOf[AdvancedDataSourceV2WithV2Filter])) {
      def t = source(format)
      assert(lines(t.where("i > 3")).contains("i > 3: pushed"))
      assert(lines(t.where("i > 3").groupBy().count()).contains("i > 3: pushed"))
      val both = lines(t.where("i > 3 AND j < 9"))
      assert(both.contains("i > 3: pushed") && both.contains("j < 9: spark source-declines"), both)
    }
    assertLeft(NotPushedReason.TwoColumns)(source(classOf[AdvancedDataSourceV2]).where("i = j"))
    assertLeft(NotPushedReason.TakesNone)(source(classOf[SimpleDataSourceV2]).where("i > 3"))
  }

  test("the second API: a source that skips by predicates, which Spark evaluates again") {
    withSQLConf("spark.sql.catalog.testcat" -> classOf[InMemoryTableCatalog].getName) {
      sql("CREATE TABLE testcat.ns.t (a INT, p INT) USING foo PARTITIONED BY (p)")
      sql("INSERT INTO testcat.ns.t VALUES (1, 2)")
      assertSaid(sql("SELECT * FROM testcat.ns.t WHERE p = 1"))("p = 1: pushed, spark")
      val scan = explained(sql("SELECT * FROM testcat.ns.t WHERE p = 1")).head
      assert((scan.source, scan.place) == (("foo", "testcat.ns.t")))
    }
  }

  for (format <- Seq("rangedb", "rangedb-v1")) {
    test(s"$format: what the engine answers, what the adapter evaluates, what is left to Spark") {
      def t(pushdown: String) = spark.read
        .format(format)
        .option("rows", "50")
        .option("pushdown", pushdown)
        .load()
      // The second API can express sums, so there the source declines; the first API cannot.
      val sum = if (format == "rangedb") "source-declines" else "computed"
      withSQLConf(SQLConf.ANSI_ENABLED.key -> "true") {
        // The columns are not nullable, so Spark adds no IS NOT NULL.
        assertSaid(t("push").where("val > 3 AND squared < 100 AND squared + 1 > 5"))(
          "val > 3: pushed",
          "squared < 100L: evaluated",
          s"(squared + 1L) > 5L: spark $sum")
      }
      assertSaid(t("evaluate").where("val > 3"))("val > 3: evaluated")
      assertLeft(NotPushedReason.SourceDeclines)(t("none").where("val > 3"))
      assertSaid(t("push").where("val > 3").groupBy().count())("val > 3: pushed")
      val scan = explained(t("push").where("val > 3")).head
      assert(scan.source == (if (format == "rangedb") "rangedb" else "RangeDbRelation"))
    }
  }

  test("the first API: relations that take predicates, and that do not") {
    def read(format: Class[_]) =
      spark.read.format(format.getName).option("from", "1").option("to", "9").load()
    assertSaid(read(classOf[FilteredScanSource]).where("a > 1"))("a > 1: pushed")
    assertLeft(NotPushedReason.TakesNone)(read(classOf[PrunedScanSource]).where("a > 1"))
    assertLeft(NotPushedReason.TakesNone)(read(classOf[SimpleScanSource]).where("i > 1"))
  }

  test("the first API: a relation that may use a predicate or not") {
    val unsure = spark.read.format(classOf[UnsureSource].getName).load()
    assertSaid(unsure.where("a > 1"))("a > 1: pushed, spark")
    assertLeft(NotPushedReason.CastOnColumn)(unsure.where("CAST(a AS STRING) = '1'"))
  }

  private def withCached(rows: DataFrame)(body: DataFrame => Unit): Unit = {
    rows.createOrReplaceTempView("kept")
    spark.catalog.cacheTable("kept")
    try body(spark.table("kept"))
    finally spark.catalog.uncacheTable("kept")
  }

  test("a cached table: batches are skipped, as far as its statistics go") {
    withCached(nested) { t =>
      for (p <- Seq("a > 1", "a IN (1, 2)", "startswith(s, 'a')", "(a > 1) OR (b < 3L)")) {
        assertSaid(t.where(p))(s"$p: skipped, spark")
      }
      assertLeft(NotPushedReason.SourceDeclines)(t.where("endswith(s, 'a')"))
      assertLeft(NotPushedReason.SourceDeclines, "BINARY")(t.where("bin = X'31'"))
      assertLeft(NotPushedReason.Computed)(t.where("a + 1 = 2"))
      assertLeft(NotPushedReason.Computed)(t.where("a > 1 OR upper(s) = 'X'"))
      assertLeft(NotPushedReason.TextColumn)(t.where("s = 7L"))
      assertLeft(NotPushedReason.NestedField)(t.where("st.x = 2"))
      assertLeft(NotPushedReason.NonDeterministic)(t.where("rand() > 0.5"))
      val switch = SQLConf.IN_MEMORY_PARTITION_PRUNING.key
      withSQLConf(switch -> "false")(
        assertLeft(NotPushedReason.SwitchedOff, switch)(t.where("a > 1")))
      assert(explained(t.where("a > 1")).head.source == "cache")
    }
  }

  test("rows in memory") {
    import testImplicits._
    val schema = new StructType().add("x", "int")
    val sources = Map(
      "local rows" -> Seq(1, 2).toDF("x"),
      "rdd" -> spark.createDataFrame(sparkContext.parallelize(Seq(Row(1))), schema),
      "range" -> spark.range(9).toDF("x")
    )
    for ((name, rows) <- sources) {
      assertLeft(NotPushedReason.TakesNone)(rows.where("x > 1"))
      assert(explained(rows.where("x > 1")).head.source == name)
    }
    assertLeft(NotPushedReason.TakesNone)(sparkContext.parallelize(1 to 3).toDF("x").where("x > 1"))
  }
}
