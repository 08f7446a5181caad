// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.io.File

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, Union}
import org.apache.spark.sql.functions.{col, struct}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest
import io.sparksieve.bulkfilter.api.{
  BulkFilter,
  BulkFilterNode,
  Exclude,
  Include,
  ProjectionBulkFilter
}
import io.sparksieve.conf.SieveConf

/** Filter objects over real files: they keep the rows that joins would keep, in one filter. */
class BulkFilterQuerySuite extends SieveTest {

  private val Cars = Seq(
    ("red", "BMW", "EU"),
    ("red", "BMW", "EU"),
    ("blue", "Tata", "ASIA"),
    ("green", "BMW", "NA"),
    (null, "Fiat", "EU"),
    ("white", null, null),
    (null, null, "NA"))

  private def withCars(body: (DataFrame, String => String) => Unit): Unit = withTempDir { dir =>
    val session = spark
    import session.implicits._
    def write(name: String, values: String*) =
      values.toDF("value").coalesce(1).write.parquet(new File(dir, name).toString)
    Cars.toDF("color", "brand", "region").write.parquet(new File(dir, "cars").toString)
    write("colors", "red", "blue", "blue", null)
    write("brands", "BMW", "Tata")
    write("regions", "NA")
    write("none")
    Seq(("red", "BMW"), ("blue", "BMW"), (null, "Tata"))
      .toDF("color", "brand")
      .write
      .parquet(new File(dir, "pairs").toString)
    val cars = spark.read.parquet(new File(dir, "cars").toString)
    cars.createOrReplaceTempView("cars")
    body(cars, name => new File(dir, name).toString)
  }

  private def where(predicate: ((String, String, String)) => Boolean): Seq[Row] =
    Cars.filter(predicate).map(Row.fromTuple(_))

  private def has(values: String*)(key: String) = key != null && values.contains(key)

  private val inColors = has("red", "blue") _

  /** Asserts that the plan has one filter and no join, and keeps `expected` with duplicates. */
  private def assertRows(filter: BulkFilterNode, cars: DataFrame)(
      expected: ((String, String, String)) => Boolean): Unit = {
    val filtered = notFailingToCompile {
      val made = filter(cars)
      checkAnswer(made, where(expected))
      made
    }
    val plan = filtered.queryExecution.optimizedPlan
    assert(plan.collect { case f: Filter => f }.length == 1, plan)
    assert(!plan.exists(p => p.isInstanceOf[Join] || p.isInstanceOf[Union]), plan)
  }

  test("Include and Exclude, and what they make of NULL keys") {
    withCars { (cars, file) =>
      val colors = file("colors")
      assertRows(Include("color", colors), cars)(c => inColors(c._1))
      assertRows(Include("color", colors, nulls = "keep"), cars)(c =>
        c._1 == null || inColors(c._1))
      assertRows(Exclude("color", colors), cars)(c => !inColors(c._1))
      assertRows(Exclude("color", colors, nulls = "drop"), cars)(c =>
        c._1 != null && !inColors(c._1))
    }
  }

  test("a complement keeps just the rows that the filter drops") {
    withCars { (cars, file) =>
      val leaves = for {
        make <- Seq[String => ProjectionBulkFilter](
          nulls => Include("color", file("colors"), nulls = nulls),
          nulls => Exclude("color", file("colors"), nulls = nulls),
          nulls => Exclude("brand", file("none"), nulls = nulls)
        )
        nulls <- Seq("keep", "drop")
      } yield make(nulls)
      val trees = Seq(
        leaves(0) && leaves(3),
        (leaves(1) || leaves(2)) && !Include("brand", file("brands")),
        Exclude("region", file("regions")) || leaves(3) && leaves(4))
      def assertComplete(filter: BulkFilterNode, rest: BulkFilterNode) =
        checkAnswer(filter(cars).unionAll(rest(cars)), cars)
      for (leaf <- leaves) assertComplete(leaf, !leaf)
      for (tree <- trees) assertComplete(tree, !tree)
    }
  }

  test("the document's cars, sorted or not: ((A and B) and C) or D") {
    withCars { (cars, file) =>
      val a = Include("color", file("colors")).named("A")
      val b = Include("color", file("colors")).named("B")
      val c = Include("brand", file("brands")).named("C")
      val d = Include("region", file("regions")).named("D")
      val written = d || (c && (a && b))
      assert(written.sorted.toString == "((A and B) and C) or D")
      for (filter <- Seq(written, written.sorted, BulkFilter.fromJson(written.toJson)))
        assertRows(filter, cars)(car =>
          has("NA")(car._3) || inColors(car._1) && has("BMW", "Tata")(car._2))
    }
  }

  test("keys of several columns, tables, and options") {
    withCars { (cars, file) =>
      val pairs = ProjectionBulkFilter(struct("color", "brand"), file("pairs"), "Include")
      assertRows(pairs, cars)(c => c._1 == "red" && c._2 == "BMW")
      assertRows(!pairs, cars)(c => !(c._1 == "red" && c._2 == "BMW"))
      assertRows(Include("brand", file("pairs"), Map("column" -> "brand")), cars)(c =>
        has("BMW", "Tata")(c._2))
      withTable("listed") {
        spark.read.parquet(file("brands")).write.saveAsTable("listed")
        val brands =
          ProjectionBulkFilter(col("brand"), "listed.value", "Exclude", isTable = true)
        assertRows(brands, cars)(c => !has("BMW", "Tata")(c._2))
      }
    }
  }

  test("one file used by several keys, which Spark could take for a common part") {
    withCars { (cars, file) =>
      val pairs = file("pairs")
      val column = Map("column" -> "color")
      for (wholeStage <- Seq("true", "false"))
        withConf(SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> wholeStage) {
          val both = Include("color", pairs, column) && Include("lower(color)", pairs, column)
          assertRows(both, cars)(c => inColors(c._1))
          val either = Include("color", pairs, column) || Include("brand", pairs, column)
          assertRows(either, cars)(c => inColors(c._1))
          val labels = cars.select(either.toColumn.as("e"), both.toColumn.as("b"))
          checkAnswer(
            labels,
            Cars.map { c =>
              val found = if (c._1 == null) null else inColors(c._1)
              val unknown = !inColors(c._1) && (c._1 == null || c._2 == null)
              Row(if (unknown) null else inColors(c._1), found)
            }
          )
        }
    }
  }

  test("tables and views of any kind beyond the cap are joined") {
    withCars { (cars, file) =>
      withTable("listed") {
        spark.read.parquet(file("brands")).write.saveAsTable("listed")
        spark.read.parquet(file("pairs")).createOrReplaceTempView("pairs")
        val queries = Seq(
          "SELECT value FROM listed",
          "SELECT DISTINCT value FROM listed",
          "SELECT brand AS value FROM pairs INTERSECT ALL SELECT value FROM listed",
          "SELECT max(value) AS value FROM listed GROUP BY value"
        )
        withTempView("listing", "pairs") {
          withConf(SieveConf.BULK_FILTER_MAX_LEAF_BYTES.key -> "1b") {
            for (query <- queries; keep <- Seq(true, false)) {
              sql(query).createOrReplaceTempView("listing")
              val brands = Seq("BMW", "Tata")
              for (place <- Seq("listed.value", "listing.value")) {
                val key = col("brand")
                val leaf = ProjectionBulkFilter(key, place, "Include", isTable = true)
                val filter = if (keep) leaf else !leaf
                checkAnswer(
                  filter(cars),
                  where(c => (c._2 != null && brands.contains(c._2)) == keep))
              }
            }
          }
        }
      }
    }
  }
}
