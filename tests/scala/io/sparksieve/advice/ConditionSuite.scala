// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.parquet.filter2.predicate.LogicalInverseRewriter
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter
import org.apache.parquet.hadoop.metadata.ParquetMetadata

import org.apache.spark.SparkConf
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.advice.table.{AdvisedParquet, AdvisedTable}
import io.sparksieve.advice.workload.{ComparedColumns, Condition, Conditions, ListTest, TableRef}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.scan.ParquetFooters

/** Conditions skip exactly the row groups that Parquet's own filter skips by statistics. */
class ConditionSuite extends AdviceTest {

  /** As Spark offers it; None if Spark knows that it is always true, or never. */
  private def predicate(path: String, text: String): Option[Expression] =
    spark.read.parquet(path).where(text).queryExecution.optimizedPlan.collectFirst {
      case f: Filter => f.condition
    }

  private def footers(path: String): Seq[ParquetMetadata] = {
    val conf = new Configuration
    val files = FileSystem.get(conf).listStatus(new Path(path)).toSeq
    val parquet = files.filter(_.getPath.getName.endsWith(".parquet")).sortBy(_.getPath.getName)
    ParquetFooters.map(parquet, conf, 2)(identity).flatten
  }

  /** For each row group, whether it may hold a row, by conditions and by Parquet. */
  private def both(path: String, expression: Expression): (Seq[Boolean], Seq[Boolean]) = {
    val conf = SparkCompat.conf(spark)
    val filter = Reading.filter(expression).get
    val read = footers(path)
    val filters = AdvisedParquet.filters(read.head.getFileMetaData.getSchema, conf)
    val table = spark.read.parquet(path)
    val columns = ComparedColumns.of(table.schema, table.columns.toSeq)
    val lists = ListTest(conf.parquetFilterPushDownInFilterThreshold, ListTest.Bounds)
    val condition = filters
      .convertibleFilters(Seq(filter))
      .headOption
      .fold[Condition](Condition.Anything)(new Conditions(columns, lists)(_))
    val ref = TableRef("parquet", None, Seq(path))
    val layout = AdvisedTable.of(spark, ref).toOption.get.layout(columns)._1
    val mine =
      layout.files.flatMap(f => f.rowGroups.map(g => (f.name, condition.mayHold(g.ranges))))
    val ofParquet = filters.createFilter(filter).map(LogicalInverseRewriter.rewrite(_))
    val theirs = read.flatMap(_.getBlocks.asScala).map { block =>
      !ofParquet.exists(StatisticsFilter.canDrop(_, block.getColumns))
    }
    (mine.sortBy(_._1).map(_._2), theirs)
  }

  /** Whether some row groups are skipped, and not all. */
  private def assertSame(path: String, text: String): Boolean =
    predicate(path, text).exists { expression =>
      val (mine, theirs) = both(path, expression)
      assert(mine == theirs, text)
      mine.contains(false) && mine.contains(true)
    }

  // Spark writes timestamps as INT96 by default, which have no statistics.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key, "TIMESTAMP_MICROS")

  // Files with different ranges, NULLs in some, and one with NULLs only.
  private def mixed = spark
    .range(0, 2000, 1, 10)
    .selectExpr(
      "CAST(id AS INT) AS i",
      "IF(id % 7 = 0, NULL, id * 3) AS l",
      "IF(id < 200, NULL, CAST(id AS STRING)) AS s",
      "CAST(id AS DOUBLE) / 3 - 100 AS x",
      "CAST(CAST(id AS FLOAT) - 500 AS FLOAT) AS f",
      "date_add(DATE'2020-01-01', CAST(id AS INT)) AS d",
      "timestamp_seconds(id * 1000) AS ts",
      "CAST(id AS DECIMAL(9, 2)) AS small",
      "CAST(id AS DECIMAL(30, 2)) AS large",
      "id >= 1000 AS b",
      "CAST(id % 3 AS INT) AS same"
    )

  test("each comparison of each type") {
    withParquet(mixed) { path =>
      val values = Seq(
        "i" -> "700",
        "l" -> "1500",
        "x" -> "50.5D",
        "f" -> "CAST(100 AS FLOAT)",
        "d" -> "DATE'2021-03-01'",
        "ts" -> "TIMESTAMP'1970-01-10 00:00:00'",
        "small" -> "CAST(700 AS DECIMAL(9, 2))",
        "large" -> "CAST(700 AS DECIMAL(30, 2))",
        "b" -> "true",
        "s" -> "'55'"
      )
      for ((column, value) <- values; op <- Seq("=", "<", "<=", ">", ">=", "<>", "<=>")) {
        val skips = assertSame(path, s"$column $op $value")
        assertSame(path, s"NOT ($column $op $value)")
        if (op == "=" && column != "s") assert(skips, s"$column $op $value skips nothing")
      }
      values.foreach { case (column, _) =>
        assertSame(path, s"$column IS NULL")
        assertSame(path, s"$column IS NOT NULL")
      }
    }
  }

  test("comparisons with the least and the greatest value of a row group") {
    withParquet(mixed) { path =>
      for (bound <- Seq(199, 200, 1999, 0); op <- Seq("=", "<", "<=", ">", ">=", "<>")) {
        assertSame(path, s"i $op $bound")
        assertSame(path, s"NOT (i $op $bound)")
      }
      assert(assertSame(path, "i > 199") && assertSame(path, "i < 200"))
    }
  }

  test("lists, prefixes, and predicates in AND, OR and NOT") {
    withParquet(mixed) { path =>
      val long = (0 until 30).map(_ * 2 + 500).mkString(", ")
      assert(assertSame(path, "i IN (5, 1900)"))
      assert(assertSame(path, s"i IN ($long)"))
      assertSame(path, s"NOT (i IN ($long))")
      assertSame(path, "i NOT IN (5, 1900)")
      assert(assertSame(path, "s LIKE '19%'"))
      assertSame(path, "NOT (s LIKE '19%')")
      assertSame(path, "s LIKE '%9' AND i < 300")
      assertSame(path, "s LIKE '%9' OR i < 300")
      assert(assertSame(path, "(i < 100 OR l > 5000) AND NOT (x < 0 AND d > DATE'2020-02-01')"))
    }
  }

  test("random predicates") {
    withParquet(mixed) { path =>
      val random = new Random(5)
      def leaf: String = random.nextInt(6) match {
        case 0 => s"i ${op()} ${random.nextInt(2200) - 100}"
        case 1 => s"l ${op()} ${random.nextInt(6500)}"
        case 2 => s"x ${op()} ${random.nextInt(700) - 120}.5D"
        case 3 => s"s ${op()} '${random.nextInt(2200)}'"
        case 4 => s"same = ${random.nextInt(4)}"
        case _ => s"l IS ${if (random.nextBoolean()) "NOT " else ""}NULL"
      }
      def op() = Seq("=", "<", ">", "<=", ">=", "<>")(random.nextInt(6))
      def tree(depth: Int): String = if (depth == 0) leaf
      else
        random.nextInt(4) match {
          case 0 => s"(${tree(depth - 1)} AND ${tree(depth - 1)})"
          case 1 => s"(${tree(depth - 1)} OR ${tree(depth - 1)})"
          case 2 => s"NOT (${tree(depth - 1)})"
          case _ => leaf
        }
      val skipping = (1 to 60).count(_ => assertSame(path, tree(3)))
      assert(skipping > 15)
    }
  }
}
