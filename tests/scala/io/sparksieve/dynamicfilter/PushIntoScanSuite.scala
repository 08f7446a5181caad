// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.catalyst.expressions.{
  Alias,
  Cast,
  CreateNamedStruct,
  DynamicPruningExpression,
  Expression,
  GetStructField,
  IsNotNull,
  KnownNotNull,
  Literal
}
import org.apache.spark.sql.execution.{
  FilterExec,
  ProjectExec,
  ScalarSubquery,
  SparkPlan,
  SubqueryExec
}
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.{DataType, LongType}

import io.sparksieve.dynamicfilter.exec.{DynamicFilterExec, DynamicKeys, PushIntoScan}
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.scan.DynamicScanExec

/** Which scans get keys. The filters' sources are Spark's own subqueries that return fixed keys. */
class PushIntoScanSuite extends ScanTest {
  import testImplicits._

  private def rule = new PushIntoScan(spark)

  /** The physical form of the key source of a shuffled join. */
  private def source: Expression = {
    val keys = longs(1L, 2L)
    ScalarSubquery(SubqueryExec("keys", keys.plan.child), keys.exprId)
  }

  private def withTable(body: DataFrame => Unit): Unit = withTempPath { dir =>
    spark
      .range(10)
      .select($"id", $"id".cast("int").as("i"), $"id".cast("double").as("d"))
      .write
      .parquet(dir.getPath)
    body(spark.read.parquet(dir.getPath))
  }

  private def filtered(query: DataFrame, key: String, as: Option[DataType] = None) =
    above(query.queryExecution.sparkPlan, key, as)

  private def above(plan: SparkPlan, key: String, as: Option[DataType] = None) = {
    val column = plan.output.find(_.name == key).get
    val cast = as.fold[Expression](column)(Cast(column, _))
    DynamicFilterExec(cast, source, FilterProvenance.Unknown, plan)
  }

  private def scans(plan: SparkPlan) = plan.collect { case s: DynamicScanExec => s }

  private def assertPushed(
      query: DataFrame,
      key: String,
      column: String,
      as: Option[DataType] = None) = {
    val before = filtered(query, key, as)
    val after = rule(before)
    assert(scans(after).map(_.filters.map(_.column.name)) == Seq(Seq(column)), after)
    val used = after.collectFirst { case f: DynamicFilterExec => f.source }.get
    assert(used eq scans(after).head.filters.head.keys, after)
    assert(after.output == before.output && (rule(after) eq after))
  }

  private def assertNotPushed(query: DataFrame, key: String, as: Option[DataType] = None) = {
    val after = rule(filtered(query, key, as))
    assert(scans(after).isEmpty, after)
    assert(after.collect { case f: DynamicFilterExec => f.source }.head.isInstanceOf[DynamicKeys])
  }

  test("through filters and projections, renamed and cast up") {
    withTable { table =>
      assertPushed(table, "id", "id")
      assertPushed(table.where("d > 3").select($"id".as("a"), $"d"), "a", "id")
      assertPushed(table, "i", "i", Some(LongType))
      assertPushed(table.select($"i".cast("bigint").as("a")).where("a > 3"), "a", "i")
    }
  }

  test("not through what is computed, random, or an operator of another kind") {
    withTable { table =>
      def made(c: Column) = table.select(c.as("a"))
      assertNotPushed(made($"id" + 1), "a")
      assertNotPushed(made($"d".cast("bigint")), "a")
      assertNotPushed(table.select($"id", rand(1).as("r")), "id")
      assertNotPushed(table.where(rand(1) > 0.5), "id")
      assertNotPushed(table.limit(5), "id")
      assertNotPushed(table.groupBy("id").count(), "id")
    }
  }

  test("not where the scan has no use for them, or shows where its files are split") {
    withTable { table =>
      assertPushed(table.select($"id", $"_metadata.file_name"), "id", "id")
      assertNotPushed(table.select($"id", $"_metadata.file_block_length"), "id")
      assertNotPushed(table, "d")
      assertNotPushed(spark.range(10).toDF(), "id")
    }
  }

  test("columns about splits that nothing needs, as Delta reads them for deletion vectors") {
    withTable { table =>
      val (length, name) = ($"_metadata.file_block_length".as("l"), $"_metadata.file_name".as("n"))
      val scan = table.select($"id", length, name).queryExecution.sparkPlan
      val id = scan.output.head
      val fields = scan.output.tail.flatMap(column => Seq(Literal(column.name), column))
      val file = Alias(KnownNotNull(CreateNamedStruct(fields)), "file")()
      val all = ProjectExec(Seq(id, file), scan)
      def field(i: Int) = GetStructField(file.toAttribute, i)
      def isPushed(plan: SparkPlan) = scans(rule(above(plan, "id"))).nonEmpty
      assert(isPushed(ProjectExec(Seq(id), all)))
      assert(isPushed(ProjectExec(Seq(id, Alias(field(1), "name")()), all)))
      assert(isPushed(ProjectExec(Seq(id), FilterExec(IsNotNull(field(1)), all))))
      assert(!isPushed(all))
      assert(!isPushed(ProjectExec(Seq(id, Alias(field(0), "length")()), all)))
      assert(!isPushed(ProjectExec(Seq(id, file.toAttribute), all)))
      assert(!isPushed(ProjectExec(Seq(id), FilterExec(IsNotNull(field(0)), all))))
    }
  }

  test("a second filter's keys join the first's") {
    withTable { table =>
      val one = filtered(table, "id")
      val key = one.output.find(_.name == "i").get
      val two = DynamicFilterExec(Cast(key, LongType), source, FilterProvenance.Unknown, one)
      val after = rule(two)
      assert(scans(after).map(_.filters.map(_.column.name)) == Seq(Seq("id", "i")), after)
      assert(rule(after) eq after)
    }
  }

  test("a filter that Spark has given up on is taken out") {
    withTable { table =>
      val plan = table.queryExecution.sparkPlan
      val source = DynamicPruningExpression(Literal.TrueLiteral)
      val filter = DynamicFilterExec(plan.output.head, source, FilterProvenance.Unknown, plan)
      assert(rule(filter) eq plan)
    }
  }
}
