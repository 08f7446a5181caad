// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import com.fasterxml.jackson.databind.ObjectMapper

import org.apache.spark.sql.{AnalysisException, Row}

import io.sparksieve.report.sql.SieveAdvise

/** `sieve_advise` for a query and for a session, and keys that a join collected. */
class AdviceSmokeSuite extends AdviceTest {

  override protected def sparkConf: org.apache.spark.SparkConf =
    super.sparkConf
      .set("spark.sieve.dynamicFilter.minScanBytes", "0")
      .set("spark.sieve.dynamicFilter.minScanRatio", "0")

  private def advised(argument: String): Seq[Row] =
    sql(s"SELECT layout, outcome, gain, statement, reason FROM sieve_advise($argument)")
      .collect()
      .toSeq

  test("a query, as SQL and as a document") {
    withParquet(events) { path =>
      val query = s"SELECT * FROM parquet.`$path` WHERE k = 7"
      val rows = advised(s"'$query'")
      assert(rows.head.getString(0) == "sort by k" && rows.head.getString(1) == "rewrite")
      assert(rows.head.getDouble(2) > 0.8)
      val statement = rows.head.getString(3)
      assert(statement.contains(".repartitionByRange(8, \"k\")"), statement)
      assert(rows.tail.forall(_.isNullAt(4)))
      val document = new ObjectMapper().readTree(SieveAdvise.ofText(spark, query))
      assert(document.get("scope").asText == "query")
      val table = document.get("tables").get(0)
      assert(table.get("layouts").get(0).get("statement").asText == statement)
      assert(table.get("picture").get("after").size == 8)
      assert(!new java.io.File(path + "_by_k").exists, "advice must not write")
    }
  }

  test("the queries of a session, with the keys that a join collected") {
    withParquet(events) { path =>
      val session = spark.newSession()
      val table = session.read.parquet(path)
      assert(new ObjectMapper().readTree(SieveAdvise.ofSession(session)).get("tables").size == 0)
      table.where("u < 1000").count()
      table.where("u < 1000").count()
      val few = session.range(5).selectExpr("CAST(id AS INT) * 3 AS j", "id AS name")
      val joined = table.join(few.where("name < 3"), table("k") === few("j"))
      joined.collect()
      val document = new ObjectMapper().readTree(SieveAdvise.ofSession(session))
      assert(document.get("queries").size == 2)
      assert(document.get("queries").get(0).get("runs").asInt == 2)
      val advice = document.get("tables").get(0)
      val reads = advice.get("queries")
      val weights = (0 until reads.size).map(reads.get(_).get("weight").asDouble)
      assert(math.abs(weights.sum - 1) < 1e-9)
      val keys = (0 until reads.size).map(reads.get(_).get("keys"))
      assert(keys.exists(k => k.size == 1 && k.get(0).asText.startsWith("k in")), document)
    }
  }

  test("wrong arguments") {
    assert(intercept[Exception](advised("3")).getMessage.contains("takes one string"))
    assert(intercept[Exception](advised("'a', 'b'")).getMessage.contains("takes one string"))
    intercept[AnalysisException](advised("'SELECT * FROM no_such_table'"))
  }
}
