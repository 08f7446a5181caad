// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.SparkConf
import org.apache.spark.sql.connector.expressions.{Expression, Expressions, Literal}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, IntegerType}

import io.sparksieve.conf.SieveConf
import io.sparksieve.scan.DynamicScanExec

/** The source as the application side of a join: keys collected while the query runs filter it. */
class RuntimeFilterSuite extends RangeSourceTest {

  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.SHUFFLE_PARTITIONS.key, "3")

  override def beforeAll(): Unit = {
    super.beforeAll()
    // Every 100th of 10,000 keys has the name 'x': 100 keys, every millionth key of the source.
    spark
      .range(0, 10000)
      .selectExpr("cast(id * 10000 + 1 AS INT) AS k", "if(id % 100 = 0, 'x', 'y') AS name")
      .write
      .saveAsTable("dim")
  }

  override def afterAll(): Unit =
    try sql("DROP TABLE IF EXISTS dim")
    finally super.afterAll()

  private val Rows = 100000000

  private val Join = "SELECT r.val, r.squared FROM r JOIN dim ON r.val = dim.k WHERE dim.name = 'x'"

  private def expected = (0 until 100).map(i => i * 1000000 + 1)

  for {
    aqe <- Seq("true", "false")
    (kind, threshold) <- Seq("shuffle" -> "-1", "broadcast" -> "10MB")
  } test(s"a join of 100,000,000 rows with 100 keys makes 100 records: $kind, adaptive $aqe") {
    withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
      table("rows" -> Rows, "partitions" -> 4).createOrReplaceTempView("r")
      val ran = run(sql(Join))
      assert(ran.rows.map(_.getInt(0)).sorted == expected)
      assert(ran.rows.forall(r => r.getLong(1) == r.getInt(0).toLong * r.getInt(0)))
      assert(ran.counters == Counters(100, 100, 0, 100), ran.plan)
      val report = sql("SELECT * FROM sieve_report(\"" + Join + "\")").collect().toSeq
      def details(feature: String, outcome: String) = report
        .filter(r => r.getAs[String]("feature") == feature && r.getAs[String]("outcome") == outcome)
        .map(_.getAs[String]("detail"))
      assert(
        details("rangesource", "measured") ==
          Seq("100 ranges requested, 100 records generated, 0 evaluated, 100 returned"),
        report)
      assert(details("dynamicfilter", "applied").nonEmpty || filteredBySpark(ran), report)
    }
  }

  /** Whether Spark filters the scan itself, as for V2 sources if the join broadcasts. */
  private def filteredBySpark(ran: Ran) =
    collectWithSubqueries(ran.plan) { case s: DynamicScanExec => s }.isEmpty &&
      ran.scan.simpleString(100).contains("dynamicpruning")

  test("Sieve's filter is applied where the join shuffles") {
    withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") {
      table("rows" -> Rows, "partitions" -> 4).createOrReplaceTempView("r")
      val ran = run(sql(Join))
      val scans = collectWithSubqueries(ran.plan) { case s: DynamicScanExec => s }
      assert(scans.map(_.metrics("numRanges").value) == Seq(100), ran.plan)
    }
  }

  test("filters of the query and of run time meet; evaluated and left to Spark") {
    withConf(
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
      SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key -> "0",
      SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "0") {
      def joined(pushdown: String, columns: String) = {
        table("rows" -> 200000, "partitions" -> 4, "pushdown" -> pushdown)
          .createOrReplaceTempView("r")
        run(sql(s"SELECT $columns FROM r JOIN dim ON r.val = dim.k " +
          "WHERE dim.k < 90000 AND dim.name <> 'none' AND r.squared > 400000000 AND r.val < 150000"))
      }
      for (columns <- Seq("r.val", "r.val, r.cubed")) {
        val push = joined("push", columns)
        val evaluate = joined("evaluate", columns)
        val left = joined("none", columns)
        val keys = Seq(20001, 30001, 40001, 50001, 60001, 70001, 80001)
        for (ran <- Seq(push, evaluate, left))
          assert(ran.rows.map(_.getInt(0)).sorted == keys)
        // Spark infers the predicate on one side's key for the other side's key as well.
        assert(push.counters == Counters(9, 9, 9, 7), push.plan)
        assert(evaluate.counters == Counters(4, 200000, 200000, 7), evaluate.plan)
        assert(left.counters == Counters(4, 200000, 0, 200000), left.plan)
      }
    }
  }

  test("no key is left: the engine gets no request") {
    for {
      aqe <- Seq("true", "false")
      threshold <- Seq("-1", "10MB")
    } withConf(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe,
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
      table("rows" -> Rows, "partitions" -> 4).createOrReplaceTempView("r")
      val ran = run(sql("SELECT r.val FROM r JOIN dim ON r.val = dim.k WHERE dim.name = 'z'"))
      assert(ran.rows.isEmpty, ran.plan)
      // Adaptive execution removes the whole join.
      if (aqe == "false") assert(ran.counters == Counters(0, 0, 0, 0), ran.plan)
    }
  }

  private case class Number(value: Integer) extends Literal[Integer] {
    override def dataType: DataType = IntegerType
  }

  private def in(keys: Int*): Predicate =
    new Predicate("IN", (Expressions.column("val") +: keys.map(Number(_))).toArray[Expression])

  private def scan(options: (String, Any)*): RangeDbScan =
    run(table(options: _*).select("val")).source

  private def partitions(scan: RangeDbScan): Seq[RangeDbPartition] =
    scan.toBatch.planInputPartitions().toSeq.collect { case p: RangeDbPartition => p }

  private def keys(scan: RangeDbScan): Seq[String] = partitions(scan).map(_.keys.toString)

  test("a run-time filter is for the next batch of its thread, and for no other") {
    val source = scan("partitions" -> 1)
    source.filter(Array(in(3, 4, 9, 70)))
    var other = Seq.empty[String]
    val thread = new Thread(() => other = keys(source))
    thread.start()
    thread.join()
    assert(other == Seq("[1..50]"))
    assert(keys(source) == Seq("[3..4, 9]"))
    assert(keys(source) == Seq("[1..50]"))
    source.filter(Array(in(3, 4)))
    source.filter(Array(in(4, 5)))
    assert(keys(source) == Seq("[4]"))
    assert(source == scan("partitions" -> 1))
  }

  test("which columns can be filtered while the query runs") {
    def offered(s: RangeDbScan) = s.filterAttributes().toSeq.map(_.fieldNames.mkString("."))
    assert(offered(scan()) == Seq("val"))
    assert(offered(scan("pushdown" -> "evaluate")) == Seq("val"))
    assert(offered(scan("pushdown" -> "none")).isEmpty)
    assert(offered(run(table().select("squared")).source).isEmpty)
    assert(offered(run(table().select("val").limit(5)).source).isEmpty)
    assert(offered(run(table("pushdown" -> "evaluate").select("val").limit(5)).source).isEmpty)
    val limited = run(table("partitions" -> 1).select("val").limit(5)).source
    limited.filter(Array(in(3, 40)))
    assert(keys(limited) == Seq("[1..5]"))
  }

  test("evaluated at run time, all records are made and only keys returned") {
    val source = scan("pushdown" -> "evaluate", "partitions" -> 1)
    source.filter(Array(in(3, 9)))
    val reading = new RangeDbReading(partitions(source).head)
    assert(reading.map(_.key).toSeq == Seq(3, 9))
    assert(reading.counters.map(_.value) == Seq(1, 50, 50, 2))
  }
}
