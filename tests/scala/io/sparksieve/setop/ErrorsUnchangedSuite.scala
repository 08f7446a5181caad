// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.AnalysisException

import io.sparksieve.conf.SieveConf

/** Queries with errors: Spark reports them, and its messages are the same with Sieve. */
class ErrorsUnchangedSuite extends SetOpTest {

  private val operations =
    Seq("EXCEPT", "EXCEPT ALL", "MINUS", "INTERSECT", "INTERSECT ALL", "UNION", "UNION ALL")

  private def said(query: String): String =
    intercept[AnalysisException](sql(query).collect()).getMessage.replaceAll("#\\d+", "#")

  private def unchanged(query: String): String = {
    val on = said(query)
    withSQLConf(SieveConf.ENABLED.key -> "false")(assert(said(query) == on))
    on
  }

  test("different numbers of columns") {
    for (op <- operations) {
      assert(
        unchanged(s"SELECT a, b FROM t $op SELECT a FROM t WHERE a = 1").contains(
          "NUM_COLUMNS_MISMATCH"))
    }
    unchanged("SELECT * FROM t WHERE (a, b) IN (SELECT a FROM t WHERE a = 1)")
    unchanged("SELECT * FROM t WHERE a NOT IN (SELECT a, b FROM t WHERE a = 1)")
  }

  test("types that do not go together") {
    for (op <- operations) {
      val message = unchanged(s"SELECT a FROM t $op SELECT array(a) FROM t WHERE a = 1")
      assert(message.contains("INCOMPATIBLE_COLUMN_TYPE"), message)
      unchanged(s"SELECT named_struct('x', a) FROM t $op SELECT a FROM t WHERE a = 1")
    }
  }

  test("types that set operations cannot compare") {
    for (op <- Seq("EXCEPT", "INTERSECT ALL", "UNION")) {
      unchanged(s"SELECT map(a, b) FROM t $op SELECT map(a, b) FROM t WHERE a = 1")
    }
  }

  test("columns and tables that do not exist, filters that are no conditions") {
    unchanged("SELECT a FROM t EXCEPT SELECT a FROM t WHERE nope = 1")
    unchanged("SELECT a FROM t EXCEPT SELECT a FROM nowhere")
    unchanged("SELECT a FROM t EXCEPT SELECT a FROM t WHERE a")
    unchanged("SELECT a FROM t l LEFT ANTI JOIN t r ON l.a = r.nope")
  }

  test("the DataFrame API") {
    def message(body: => Any) =
      intercept[AnalysisException](body).getMessage.replaceAll("#\\d+", "#")
    val t = spark.table("t")
    for (attempt <- Seq[() => Any](
        () => t.select("a").except(t.select("a", "b")).collect(),
        () => t.select("a").intersectAll(t.selectExpr("array(a)")).collect(),
        () => t.select("a").union(t.select("a", "b")).collect()
      )) {
      val on = message(attempt())
      withSQLConf(SieveConf.ENABLED.key -> "false")(assert(message(attempt()) == on))
    }
  }

  test("set operations on streams that Spark does not support") {
    val stream = spark.readStream.format("rate").load().select("value")
    def start(): String = withTempDirMessage { path =>
      stream
        .where("value > 3")
        .intersect(stream)
        .writeStream
        .format("noop")
        .option("checkpointLocation", path)
        .start()
    }
    val on = start()
    withSQLConf(SieveConf.ENABLED.key -> "false")(assert(start() == on))
  }

  private def withTempDirMessage(body: String => Any): String = {
    var message = ""
    withTempDir { dir =>
      message = intercept[AnalysisException](body(dir.getCanonicalPath)).getMessage
        .replaceAll("#\\d+", "#")
        .linesIterator
        .next()
    }
    message
  }
}
