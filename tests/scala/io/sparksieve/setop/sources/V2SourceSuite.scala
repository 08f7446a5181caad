// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import java.io.File

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.connector.catalog.{InMemoryTableCatalog, SupportsRead}
import org.apache.spark.sql.connector.read.{SupportsPushDownFilters, SupportsPushDownV2Filters}
import org.apache.spark.sql.execution.datasources.v2.{
  DataSourceV2Relation,
  DataSourceV2ScanRelation
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** Tables of the DataSource V2 interface: Spark's own file tables, and tables of a catalog. */
class V2SourceSuite extends SourcesTest {

  private val Except = "ReplaceExceptWithNotFilter"

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.sql.catalog.testcat", classOf[InMemoryTableCatalog].getName)
    for (name <- Seq("t", "u", "t1", "t2")) {
      sql(s"CREATE TABLE testcat.ns.$name (month INT, day INT, delay INT) USING foo")
    }
    flights.createOrReplaceTempView("rows")
    for (name <- Seq("t", "u", "t1")) sql(s"INSERT INTO testcat.ns.$name SELECT * FROM rows")
    sql("INSERT INTO testcat.ns.t2 SELECT * FROM rows WHERE day > 2")
  }

  private def withV2(format: String)(body: String => Unit): Unit = withTempDir { dir =>
    val path = new File(dir, "data").getCanonicalPath
    flights.coalesce(1).write.format(format).save(path)
    withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> "")(body(path))
  }

  for (format <- Seq("parquet", "orc", "csv")) {
    test(s"$format as a V2 table: one read, two reads, and files added between two reads") {
      withV2(format) { path =>
        def read = spark.read.schema(flights.schema).format(format).load(path)
        val once = read
        assertOneScan(Except)(once.where("month < 6").exceptAll(once.where("month = 3")))
        val (plan, _) = planned(once)
        assert(plan.collectLeaves().forall(_.isInstanceOf[DataSourceV2ScanRelation]), plan)
        assertEveryRewrite(read, read)
        assertDeclined(Except, Reason.DifferentSource) {
          once.exceptAll(
            spark.read
              .schema(flights.schema)
              .option("mergeSchema", "false")
              .format(format)
              .load(path)
              .where("month = 3"))
        }
        withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> format) {
          flights.where("month > 11").write.mode("append").format(format).save(path)
        }
        assertDeclined(Except, Reason.DifferentSnapshot)(once.exceptAll(read.where("month = 12")))
      }
    }
  }

  for (v1 <- Seq("parquet", ""))
    test(s"a column has another type in another directory, with V1 sources '$v1'") {
      withTempDir { dir =>
        val path = new File(dir, "data").getCanonicalPath
        val rows = spark.range(9)
        rows.selectExpr("id AS k", "concat('x', id) AS a", "id AS c").write.parquet(s"$path/p=1")
        rows.selectExpr("id AS k", "id AS a", "id AS c").write.parquet(s"$path/p=2")
        withSQLConf(SQLConf.USE_V1_SOURCE_LIST.key -> v1) {
          def all = spark.read.schema("k BIGINT, a BIGINT, c BIGINT, p INT").parquet(path)
          def one = all.where("p = 1 AND c < 5").select("k")
          def two = all.where("p = 2 AND a > 3").select("k")
          assertDeclined("ReplaceUnionWithFilter", Reason.ColumnSensitiveSource)(one.union(two))
          Seq(() => one.exceptAll(two), () => one.intersectAll(two), () => one.except(two))
            .foreach { query =>
              checkAnswer(query(), off(query()))
            }
        }
      }
    }

  test("V2 CSV in mode DROPMALFORMED: rows depend on the columns that are read") {
    withV2("csv") { path =>
      val df = spark.read
        .schema("month INT, day INT, delay BOOLEAN")
        .option("mode", "DROPMALFORMED")
        .csv(path)
      assertDeclined(Except, Reason.ColumnSensitiveSource) {
        df.exceptAll(df.where("month = 3")).groupBy().count()
      }
    }
  }

  test("V2 JSON: a row of NULLs that a pushed filter would skip") {
    withV2("json") { path =>
      val df = spark.read.schema(flights.schema).json(path)
      assertDeclined(Except, Reason.PushdownSensitiveSource) {
        df.exceptAll(df.where("delay IS NULL"))
      }
    }
  }

  test("V2 Parquet of a session that answers MIN and MAX by statistics") {
    withV2("parquet") { path =>
      val session = spark.newSession()
      session.conf.set(SQLConf.USE_V1_SOURCE_LIST.key, "")
      session.conf.set(SQLConf.PARQUET_AGGREGATE_PUSHDOWN_ENABLED.key, "true")
      // Spark 3.5 makes the table in the active session, not in the one that reads.
      SparkSession.setActiveSession(session)
      try session.read.parquet(path).createOrReplaceGlobalTempView("counted")
      finally SparkSession.setActiveSession(spark)
      try {
        val df = spark.table("global_temp.counted")
        assertDeclined("ReplaceUnionWithFilter", Reason.PushdownSensitiveSource) {
          df.where("month = 3").union(df.where("month = 4")).groupBy().max("day")
        }
      } finally spark.catalog.dropGlobalTempView("counted")
    }
  }

  /** Whether filters are pushed into the catalog's tables. It is not known how they apply them. */
  private lazy val takesFilters = spark
    .table("testcat.ns.t")
    .queryExecution
    .analyzed
    .collectFirst { case r: DataSourceV2Relation => r.table }
    .collect { case t: SupportsRead => t.newScanBuilder(CaseInsensitiveStringMap.empty) }
    .exists {
      case _: SupportsPushDownFilters | _: SupportsPushDownV2Filters => true
      case _ => false
    }

  private def assertOneScanIfExact(rule: String)(query: => DataFrame): Unit =
    if (takesFilters) assertDeclined(rule, Reason.PushdownSensitiveSource)(query)
    else assertOneScan(rule)(query)

  test("a catalog's table by two loads") {
    if (!takesFilters) assertEveryRewrite(spark.table("testcat.ns.t"), spark.table("testcat.ns.t"))
    assertOneScanIfExact(Except) {
      sql("SELECT month FROM testcat.ns.t EXCEPT SELECT month FROM testcat.ns.t WHERE month > 3")
    }
    assertDeclined(Except, Reason.DifferentSource) {
      spark.table("testcat.ns.t").exceptAll(spark.table("testcat.ns.u").where("month > 3"))
    }
  }

  test("a table that changes between two loads is read as it is now") {
    sql("CREATE TABLE testcat.ns.grows (month INT, day INT) USING foo")
    sql("INSERT INTO testcat.ns.grows VALUES (1, 1), (2, 2)")
    val before = spark.table("testcat.ns.grows")
    sql("INSERT INTO testcat.ns.grows VALUES (3, 3), (1, 4)")
    def query = spark.table("testcat.ns.grows").exceptAll(before.where("month = 1"))
    checkAnswer(query, off(query))
  }

  test("the size of a V2 table at the gate of the counting rewrite") {
    def query = sql(
      "SELECT month FROM testcat.ns.t WHERE day > 1 EXCEPT SELECT month FROM testcat.ns.t WHERE day = 2")
    assertOneScanIfExact("ReplaceSetOpWithCounts")(query)
    withSQLConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "1") {
      assertOneScanIfExact("ReplaceSetOpWithCounts")(query)
    }
    if (!takesFilters) withSQLConf(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "1g") {
      assertDeclined("ReplaceSetOpWithCounts", Reason.BelowGate)(query)
    }
  }

  // For VERSION AS OF '1', the catalog returns the table whose name ends in 1.
  test("time travel: one version is one source, two are not") {
    def travel(left: Int, right: Int) = sql(s"""SELECT * FROM testcat.ns.t VERSION AS OF '$left'
        EXCEPT ALL SELECT * FROM testcat.ns.t VERSION AS OF '$right' WHERE month = 3""")
    assertOneScanIfExact(Except)(travel(1, 1))
    val (plan, entries) = planned(travel(1, 2))
    assert(!entries.exists(_.reason.isEmpty), s"$entries\n$plan")
    checkAnswer(travel(1, 2), off(travel(1, 2)))
    assert(travel(1, 2).count() == 114)
  }
}
