// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import java.lang.ref.WeakReference
import java.nio.file.{Files, Paths}

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}

import org.apache.spark.sql.catalyst.expressions.{
  AttributeReference,
  Expression,
  In,
  InSet,
  Literal
}
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.sieve.SessionListeners
import org.apache.spark.sql.types.{ArrayType, BinaryType, IntegerType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.sparksieve.advice.workload.{SessionReads, TableRead, TableRef}
import io.sparksieve.common.Shorten
import io.sparksieve.report.core.PredicateText
import io.sparksieve.report.sql.SieveAdvise

/** What a session remembers of its queries. */
class SessionReadsSuite extends AdviceTest {

  private val k = AttributeReference("k", LongType)()

  private def read(table: Int, predicates: Expression*) =
    Seq(TableRead(TableRef("parquet", Some(s"t$table")), predicates, Nil))

  private def tables(reads: SessionReads): Seq[String] = reads.all.map(_.reads.head.table.text)

  test("the queries that ran last are remembered, equal ones as one") {
    val reads = new SessionReads
    (1 to SessionReads.Max + 1).foreach(i => reads.add(read(i, k), 1))
    reads.add(read(2, k), 2)
    assert(reads.all.size == SessionReads.Max && tables(reads).head == "t3")
    assert(reads.all.last.runs == 2 && reads.all.last.seconds.contains(3.0))
  }

  test("queries with large constants are forgotten earlier") {
    val many = (1 to 100000).map(_.toLong)
    val text = UTF8String.fromBytes(new Array[Byte](5 << 20))
    val array = new GenericArrayData(Array.fill[Any](100000)(1))
    Seq(
      InSet(k, many.toSet[Any]) -> 2,
      In(k, many.map(Literal(_))) -> 2,
      Literal(text, StringType) -> 3,
      Literal(new Array[Byte](5 << 20), BinaryType) -> 3,
      Literal(array, ArrayType(IntegerType)) -> 3,
      Literal(null, StringType) -> 10
    ).foreach { case (large, kept) =>
      val reads = new SessionReads
      (1 to 10).foreach(i => reads.add(read(i, large), 1))
      assert(tables(reads) == (11 - kept to 10).map(i => s"t$i"), large.dataType)
      (1 to 400).foreach(i => reads.add(read(i, k), 1))
      assert(reads.all.size >= 400, large.dataType)
    }
  }

  test("long lists of paths count") {
    val reads = new SessionReads
    val paths = (1 to 50000).map(i => s"hdfs://cluster/warehouse/events/day=$i/part-0.parquet")
    (1 to 10).foreach { i =>
      reads.add(Seq(TableRead(TableRef("parquet", None, paths :+ s"$i"), Seq(k), Nil)), 1)
    }
    val remembered = reads.all.size
    assert(remembered == 3)
  }

  test("what a user's function refers to is not kept") {
    withParquet(spark.range(100).selectExpr("id AS k")) { path =>
      val session = spark.newSession()
      def ran(): WeakReference[Array[Long]] = {
        val large = Array.fill(1000)(0L)
        val known = udf((x: Long) => x < large.length)
        session.read.parquet(path).where(known(col("k")) && col("k") > 3).collect()
        new WeakReference(large)
      }
      val large = ran()
      SessionListeners.await(session, 10000)
      assert(freed(large))
      val document = SieveAdvise.ofSession(session)
      val read = new ObjectMapper().readTree(document).get("tables").get(0).get("queries").get(0)
      assert(read.get("predicates").toString.contains("k > 3"), document)
      assert(read.get("unused").toString.contains("UDF(k)"), document)
    }
  }

  test("the text of a long list is the start of the list, and each time the same") {
    val values = (1 to 10000).map(_.toLong)
    val text = values.map(v => s"${v}L").mkString("k IN (", ", ", ")")
    assert(PredicateText(In(k, values.map(Literal(_)))) == Shorten(text, 200))
    val ofSets = Seq(values, values.reverse).map(v => PredicateText(InSet(k, v.toSet[Any])))
    assert(ofSets.distinct.size == 1 && ofSets.head.length == 200, ofSets)
  }

  test("the last query is remembered, however large its constants are") {
    val reads = new SessionReads
    (1 to 3).foreach(i =>
      reads.add(read(i, Literal(new Array[Byte](SessionReads.MaxBytes.toInt)), k), 1))
    assert(tables(reads) == Seq("t3"))
  }

  private def directories(document: String): JsonNode = {
    val advice = new ObjectMapper().readTree(document).get("tables").get(0)
    val layouts = advice.get("layouts")
    val found = (0 until layouts.size).map(layouts.get(_))
    found
      .find(_.get("kind").asText == "partition")
      .getOrElse(fail(document))
  }

  test("in_file is evaluated for directories, and advice does not need its file") {
    withParquet(events) { path =>
      val session = spark.newSession()
      // Collected keys would tell the same.
      session.conf.set("spark.sieve.bulkFilter.enabled", "false")
      val values = Paths.get(path + ".csv")
      Files.write(values, "3\n5\n".getBytes("UTF-8"))
      session.read.parquet(path).where(s"in_file(d, '$values')").collect()
      val document = SieveAdvise.ofSession(session)
      assert(directories(document).get("gain").asDouble > 0.85)
      Files.delete(values)
      assert(directories(SieveAdvise.ofSession(session)).get("gain").asDouble < 0.1)
    }
  }
}
