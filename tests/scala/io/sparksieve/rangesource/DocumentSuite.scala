// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.internal.SQLConf

/**
 * The queries of the article that describes the source: the columns that the source returns, the
 * layer that evaluates each filter, the ranges that the engine reads, and the numbers of records.
 */
class DocumentSuite extends RangeSourceTest {

  // A sort into several partitions would first read the source once more, to sample its values.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.SHUFFLE_PARTITIONS.key, "1")

  private def query(where: String)(table: => DataFrame): DataFrame = {
    table.createOrReplaceTempView("dataTable")
    spark.sql(s"SELECT val, cubed FROM dataTable WHERE $where ORDER BY val")
  }

  private def expected(keys: Seq[Int]) = keys.map(k => Row(k, k.toLong * k * k))

  private def layers(ran: Ran): Seq[Int] =
    EvaluatedBy.All.map(layer => ran.source.interpretation.filters(layer).size)

  private val All = (1, 50)

  /**
   * The expected results of a query in one push-down mode. `layers` are the numbers of filters that
   * the engine, the adapter and Spark evaluate.
   */
  private case class Case(
      where: String,
      keys: Seq[Int],
      pushdown: String,
      columns: Seq[String],
      layers: Seq[Int],
      requested: (Int, Int),
      evaluated: Int,
      returned: Int)

  private val First = ("val <= 40", 1 to 40)
  private val Second = ("val <= 40 AND squared >= 900", 30 to 40)
  private val Third = ("val <= 10 OR squared >= 900", (1 to 10) ++ (30 to 50))
  private val Two = Seq("val", "cubed")
  private val Three = Seq("val", "squared", "cubed")

  for {
    c <- Seq(
      Case(First._1, First._2, "push", Two, Seq(1, 0, 0), (1, 40), 0, 40),
      Case(First._1, First._2, "evaluate", Two, Seq(0, 1, 0), All, 50, 40),
      Case(First._1, First._2, "none", Two, Seq(0, 0, 1), All, 0, 50),
      // The engine has no predicates on squares: the adapter evaluates them.
      Case(Second._1, Second._2, "push", Two, Seq(1, 1, 0), (1, 40), 40, 11),
      Case(Second._1, Second._2, "evaluate", Two, Seq(0, 2, 0), All, 50, 11),
      Case(Second._1, Second._2, "none", Three, Seq(0, 0, 2), All, 0, 50),
      // Spark currently pushes a disjunction as a whole; with a part on squares it gives no range.
      Case(Third._1, Third._2, "push", Two, Seq(0, 1, 0), All, 50, 31),
      Case(Third._1, Third._2, "evaluate", Two, Seq(0, 1, 0), All, 50, 31),
      Case(Third._1, Third._2, "none", Three, Seq(0, 0, 1), All, 0, 50)
    )
  } {
    test(s"${c.where}: ${c.pushdown}") {
      val ran = run(query(c.where)(table("pushdown" -> c.pushdown)))
      assert(ran.rows == expected(c.keys))
      assert(ran.columns == c.columns)
      assert(layers(ran) == c.layers)
      assert(ran.source.keys == ranges(c.requested))
      val generated = c.requested._2 - c.requested._1 + 1
      assert(ran.counters == Counters(9, generated, c.evaluated, c.returned))
    }

    test(s"${c.where}: ${c.pushdown}, through the first interface") {
      val ran = run(query(c.where)(tableV1("pushdown" -> c.pushdown)))
      assert(ran.rows == expected(c.keys))
      // The columns are in the order in which Spark requests them: filter-only columns last.
      assert(ran.columns == c.columns.sortBy(_ == "squared"))
      val generated = c.requested._2 - c.requested._1 + 1
      assert(ran.counters == Counters(9, generated, c.evaluated, c.returned))
    }

    test(s"${c.where}: ${c.pushdown}, one partition sends one request") {
      for (t <- Seq(
          table("pushdown" -> c.pushdown, "partitions" -> 1),
          tableV1("pushdown" -> c.pushdown, "partitions" -> 1))) {
        val ran = run(query(c.where)(t))
        assert(ran.rows == expected(c.keys) && ran.counters.ranges == 1)
      }
    }
  }

  for ((pushdown, generated, evaluated, returned, layered) <- Seq(
      ("push", 40, 40, 11, Seq(1, 1, 0)),
      ("evaluate", 50, 50, 11, Seq(0, 2, 0)),
      ("none", 50, 0, 50, Seq(0, 0, 2)))) {
    test(s"non-rectangular: $pushdown") {
      table("pushdown" -> pushdown, "nested" -> true).createOrReplaceTempView("dataTable")
      val ran = run(spark.sql(
        "SELECT val, data.cubed FROM dataTable WHERE val <= 40 AND data.squared >= 900 ORDER BY val"))
      assert(ran.rows == expected(30 to 40))
      assert(ran.counters == Counters(9, generated, evaluated, returned))
      assert(layers(ran) == layered)
      // Spark reads the square only if it evaluates the filter itself.
      val fields = if (pushdown == "none") "squared:bigint,cubed:bigint" else "cubed:bigint"
      assert(ran.source.schema.simpleString == s"struct<val:int,data:struct<$fields>>")
    }
  }

  test("non-rectangular, through the first interface: whole structs, and Spark filters by fields") {
    tableV1("nested" -> true).createOrReplaceTempView("dataTable")
    val ran = run(spark.sql(
      "SELECT val, data.cubed FROM dataTable WHERE val <= 40 AND data.squared >= 900 ORDER BY val"))
    assert(ran.rows == expected(30 to 40))
    assert(ran.columns == Seq("val", "data"))
    assert(ran.counters == Counters(9, 40, 0, 40))
  }

  test("the comment's query: four records of four are generated") {
    val ran = run(query("val <= 40 AND squared >= 900")(table()).limit(4))
    assert(ran.rows == expected(30 to 33))
    assert(ran.source.keys == ranges((30, 33)))
    assert(ran.counters == Counters(4, 4, 0, 4))
  }

  test("the comment's query, evaluated and left to Spark") {
    val evaluated = run(
      query("val <= 40 AND squared >= 900")(table("pushdown" -> "evaluate", "partitions" -> 1))
        .limit(4))
    assert(evaluated.rows == expected(30 to 33))
    assert(evaluated.counters == Counters(1, 33, 33, 4))
    val left = run(query("val <= 40 AND squared >= 900")(table("pushdown" -> "none")).limit(4))
    assert(left.rows == expected(30 to 33))
    assert(left.counters.evaluated == 0 && left.counters.returned == left.counters.generated)
    // Each task returns sorted rows, so Spark takes at most four rows that pass from each task.
    assert(left.counters.generated > 33)
  }
}
