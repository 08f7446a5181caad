// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.io.RandomAccessFile

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.{ParquetFileReader, ParquetInputFormat}
import org.apache.parquet.hadoop.util.HadoopInputFile

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** Sieve obeys Spark's configs that disable data skipping. */
class SparkSwitchesSuite extends DynamicFilterTest {

  private def footers[T](body: => T): T =
    withConf(SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1")(body)

  /** Runs `body` with a join on a column of type `kind`; the ten files are in its order. */
  private def withColumn(kind: String)(body: (() => DataFrame) => Unit): Unit = withTempPath {
    dir =>
      withConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MICROS") {
        spark
          .range(0, 1000, 1, 10)
          .selectExpr("id", s"cast(${of("id", kind)} AS $kind) AS x")
          .write
          .parquet(dir.getCanonicalPath)
      }
      val rows = s"parquet.`${dir.getCanonicalPath}`"
      body(() => sql(s"""SELECT l.id FROM $rows l
      JOIN (SELECT *, cast(${of("id", kind)} AS $kind) AS y FROM small) s ON l.x = s.y
      WHERE s.dept = 2"""))
  }

  private def of(id: String, kind: String) = kind match {
    case "DATE" => s"date_add(DATE'2020-01-01', cast($id AS INT))"
    case k if k.startsWith("TIMESTAMP") => s"timestamp_seconds(1600000000 + $id)"
    case _ => id
  }

  private def assertNothingSkipped(query: () => DataFrame): Unit = {
    val ran = checked(query())
    assert(ran.rows.nonEmpty)
    assert(ran.metric("footersRead") == 0 && ran.metric("filesSkipped") == 0, ran.plan)
    assert(ran.metric("numRanges") == 0, ran.plan)
  }

  private def assertSkipped(query: () => DataFrame): Unit = {
    val ran = assertFiltered(query())
    assert(ran.metric("footersRead") == 10 && ran.metric("filesSkipped") > 5, ran.plan)
  }

  for {
    (kind, switch, value) <- Seq(
      ("BIGINT", SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key, "false"),
      ("BIGINT", SQLConf.PARQUET_FILTER_PUSHDOWN_INFILTERTHRESHOLD.key, "0"),
      ("BIGINT", ParquetInputFormat.STATS_FILTERING_ENABLED, "false"),
      ("STRING", "parquet.strings.signed-min-max.enabled", "true"),
      ("DATE", SQLConf.PARQUET_FILTER_PUSHDOWN_DATE_ENABLED.key, "false"),
      ("TIMESTAMP", SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED.key, "false"),
      ("TIMESTAMP_NTZ", SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED.key, "false"),
      ("DECIMAL(9,2)", SQLConf.PARQUET_FILTER_PUSHDOWN_DECIMAL_ENABLED.key, "false")
    )
  } test(s"$switch=$value, for $kind") {
    footers {
      withColumn(kind) { query =>
        assertSkipped(query)
        withConf(switch -> value) {
          shuffled(assertNothingSkipped(query))
          assertNothingSkipped(query)
          val (_, entries) = planned(query())
          val mine = entries.filter(_.reason.contains(Reason.SwitchedOff))
          assert(mine.exists(_.detail.contains(switch)), entries)
        }
      }
    }
  }

  test("spark.sql.parquet.fieldId.read.enabled: columns under each other's names") {
    def field(name: String, id: Long) =
      new StructType().add(
        name,
        LongType,
        nullable = true,
        new MetadataBuilder().putLong("parquet.field.id", id).build())
    withTempPath { dir =>
      val rows = spark.range(0, 1000, 1, 10).selectExpr("id", "id + 5000 AS x")
      val written = StructType(field("id", 1) ++ field("x", 2))
      spark.createDataFrame(rows.rdd, written).write.parquet(dir.getCanonicalPath)
      withTempView("swapped") {
        spark.read
          .schema(StructType(field("x", 1) ++ field("id", 2)))
          .parquet(dir.getCanonicalPath)
          .createOrReplaceTempView("swapped")
        def query =
          sql("SELECT l.id FROM swapped l JOIN small s ON l.x = s.id WHERE s.dept = 2")
        for (byId <- Seq("true", "false")) {
          withConf(SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key -> byId) {
            shuffled(checked(query))
            checked(query)
            val (_, entries) = planned(query)
            assert(entries.exists(_.reason.contains(Reason.SwitchedOff)) == byId.toBoolean, entries)
          }
        }
      }
    }
  }

  for ((switch, value) <- Seq(
      SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false",
      ParquetInputFormat.STATS_FILTERING_ENABLED -> "false",
      SQLConf.IGNORE_CORRUPT_FILES.key -> "true"))
    test(s"$switch=$value in the session in which the files were first read") {
      footers(withTempPath { dir =>
        spark.range(0, 1000, 1, 10).selectExpr("id", "id AS x").write.parquet(dir.getCanonicalPath)
        val first = spark.newSession()
        first.conf.set(switch, value)
        first.read.parquet(dir.getCanonicalPath).createOrReplaceGlobalTempView("switched")
        try {
          def query = sql("""SELECT l.id FROM global_temp.switched l JOIN small s ON l.x = s.id
            WHERE s.dept = 2""")
          assertNothingSkipped(() => query)
          shuffled(assertNothingSkipped(() => query))
        } finally spark.catalog.dropGlobalTempView("switched")
      })
    }

  test("spark.sql.orc.filterPushdown") {
    withTempPath { dir =>
      val rows = spark.range(0, 1000, 1, 1).selectExpr("id", "repeat(uuid(), 5) AS u")
      rows.write.orc(dir.getCanonicalPath)
      def query = sql(s"""SELECT l.id FROM orc.`${dir.getCanonicalPath}` l
        JOIN small s ON l.id = s.id WHERE s.dept = 2""")
      assert(assertFiltered(query).metric("numRanges") > 0)
      withConf(SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> "false") {
        assertLeft(Reason.SwitchedOff)(query)
        assert(shuffled(checked(query)).metric("numRanges") == 0)
      }
    }
  }

  test("orc.force.positional.evolution: columns under each other's names") {
    withTempPath { dir =>
      spark
        .range(0, 1000, 1, 1)
        .selectExpr("id AS b", "concat('x', id) AS a", "repeat(uuid(), 5) AS u")
        .write
        .orc(dir.getCanonicalPath)
      withTempView("swapped") {
        spark.read
          .schema("a BIGINT, b STRING, u STRING")
          .option("orc.force.positional.evolution", "true")
          .orc(dir.getCanonicalPath)
          .createOrReplaceTempView("swapped")
        def query = sql("SELECT l.b FROM swapped l JOIN small s ON l.a = s.id WHERE s.dept = 2")
        shuffled(checked(query))
        checked(query)
        val (_, entries) = planned(query)
        assert(entries.exists(_.reason.contains(Reason.SwitchedOff)), entries)
      }
    }
  }

  test("spark.sql.optimizer.dynamicPartitionPruning.enabled") {
    withTable("parts") {
      sql("CREATE TABLE parts USING parquet PARTITIONED BY (grp) AS SELECT id, grp FROM big")
      def query = sql("SELECT p.id FROM parts p JOIN small s ON p.grp = s.dept WHERE s.s = 's70'")
      shuffled {
        assert(assertFiltered(query).metric("filesSkipped") > 0)
        withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false") {
          val ran = checked(query)
          assert(ran.filters.nonEmpty && ran.metric("filesSkipped") == 0, ran.plan)
        }
      }
    }
  }

  /** A file of several row groups, the first of which cannot be read. */
  private def withCorruptFile(body: String => Unit): Unit = withTempPath { dir =>
    val path = dir.getCanonicalPath
    spark
      .range(0, 20000, 1, 1)
      .write
      .option("parquet.block.size", 8 * 1024)
      .option("parquet.page.size", 1024)
      .option("compression", "gzip")
      .parquet(path)
    val file = dir.listFiles.find(_.getName.endsWith(".parquet")).get
    val conf = spark.sessionState.newHadoopConf()
    val reader = ParquetFileReader.open(HadoopInputFile.fromPath(new Path(file.getPath), conf))
    val first =
      try reader.getFooter.getBlocks.get(0)
      finally reader.close()
    val bytes = new RandomAccessFile(file, "rw")
    try {
      bytes.seek(first.getStartingPos)
      bytes.write(Array.fill(first.getCompressedSize.toInt)(7.toByte))
    } finally bytes.close()
    // The checksum files would reveal the change.
    dir.listFiles.filter(_.getName.endsWith(".crc")).foreach(_.delete())
    body(path)
  }

  test("corrupt files that are ignored: which rows are left depends on what is skipped") {
    withCorruptFile { path =>
      def query(options: String) = {
        sql(s"""CREATE OR REPLACE TEMPORARY VIEW corrupt USING parquet
          OPTIONS (path '$path'$options)""")
        sql("SELECT l.id FROM corrupt l JOIN small s ON l.id = s.id WHERE s.dept = 99")
      }
      for (threshold <- Seq("-1", "10MB"))
        withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
          withConf(SQLConf.IGNORE_CORRUPT_FILES.key -> "true")(footers(checked(query(""))))
          footers(checked(query(", ignoreCorruptFiles 'true'")))
          // If corrupt files are not ignored, reading this row group fails, but the query skips it.
          assert(run(query("")).rows.length == 10)
        }
      withConf(SQLConf.IGNORE_CORRUPT_FILES.key -> "true") {
        assertLeft(Reason.CorruptFilesIgnored)(query(""))
      }
      spark.catalog.dropTempView("corrupt")
    }
  }

  test("directories are skipped all the same: a file of another partition holds no key") {
    withTempPath { dir =>
      spark
        .range(0, 20000)
        .selectExpr("id", "id % 4 AS p")
        .write
        .partitionBy("p")
        .parquet(dir.getPath)
      withTempView("l") {
        sql(s"""CREATE TEMPORARY VIEW l USING parquet
          OPTIONS (path '${dir.getCanonicalPath}', ignoreCorruptFiles 'true')""")
        shuffled {
          val query = "SELECT l.id FROM l JOIN small s ON l.p = s.dept WHERE s.s = 's20'"
          assert(assertFiltered(sql(query)).metric("filesSkipped") > 0)
        }
      }
    }
  }
}
