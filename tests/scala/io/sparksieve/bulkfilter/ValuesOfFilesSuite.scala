// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.io.File
import java.nio.file.{Files, StandardOpenOption}
import java.util.concurrent.atomic.AtomicLong

import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain
import org.apache.spark.sql.functions.udf
import org.apache.spark.sql.streaming.Trigger

import io.sparksieve.bulkfilter.load.KeysTooLargeException

/** The values are those that Spark reads from the files when the query runs. */
class ValuesOfFilesSuite extends BulkFilterTest {

  private def count(query: String) = sql(query).head().getLong(0)

  /** Runs `body` with sets in memory, and with joins. */
  private def bothForms(body: => Unit): Unit =
    for (cap <- Seq("256m", "1b")) withConf("spark.sieve.bulkFilter.maxLeafBytes" -> cap)(body)

  private val Texts = Seq("FF", "C328", "EDA080", "E282AC", "EFBFBD", "61", "61FF", "F0288CBC", "")

  test("strings that are not valid UTF-8") {
    val all = Texts.map(x => s"(CAST(unhex('$x') AS STRING))").mkString(", ")
    val some = Texts.zipWithIndex.collect { case (x, i) if i % 2 == 0 => x }
    val values = some.map(x => s"(CAST(unhex('$x') AS STRING))").mkString(", ")
    val rows = folder("utf.rows", "parquet", sql(s"SELECT s FROM VALUES $all AS t(s)"))
    for ((format, codegen) <- Seq("parquet" -> "true", "orc" -> "false", "text" -> "false")) {
      val made = sql(s"SELECT s AS value FROM VALUES $values AS t(s)").coalesce(1)
      val path = folder(s"utf.$format", format, made)
      withConf("spark.sql.codegen.wholeStage" -> codegen)(bothForms {
        val expected = some.map(Row(_))
        checkAnswer(sql(s"SELECT hex(s) FROM parquet.`$rows` WHERE in_file(s, '$path')"), expected)
        checkAnswer(
          sql(s"SELECT hex(s) FROM parquet.`$rows` WHERE in_table(s, '$format.`$path`.value')"),
          expected)
        checkAnswer(
          sql(s"SELECT hex(s) FROM parquet.`$rows` WHERE NOT in_file(s, '$path')"),
          Texts.diff(some).map(Row(_)))
        checkAnswer(
          sql(
            s"SELECT hex(s) FROM parquet.`$rows` WHERE in_file((s, s), '$path', map('column', 'value,value'))"),
          expected)
      })
    }
  }

  test("files of values that are read as a narrower type") {
    val path = folder("wide", "parquet", sql("SELECT cast(id * 7 AS INT) AS c FROM range(200)"))
    withTable("narrow") {
      sql(s"CREATE TABLE narrow (c TINYINT) USING parquet LOCATION '$path'")
      for (vectorized <- Seq("true", "false"))
        withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized)(bothForms {
          val values = sql("SELECT DISTINCT c FROM narrow").collect().map(_.getByte(0).toInt)
          for (key <- Seq("code", "cast(id % 100 AS TINYINT)"))
            checkAnswer(
              sql(s"SELECT id FROM cars WHERE in_table($key, 'narrow.c')"),
              sql(s"SELECT id FROM cars WHERE $key IN (${values.mkString(", ")})"))
        })
    }
  }

  test("corrupt files of values are left out where Spark leaves them out, and an error elsewhere") {
    def broken(name: String, which: Seq[File] => File): (String, String) = {
      val path = folder(name, "parquet", spark.range(0, 300, 3, 3).toDF("id"))
      val files = new File(path).listFiles.filter(_.getName.endsWith(".parquet")).sortBy(_.getName)
      val chosen = which(files.toSeq)
      Files.write(chosen.toPath, Array.fill[Byte](200)(7), StandardOpenOption.TRUNCATE_EXISTING)
      new File(chosen.getParent, s".${chosen.getName}.crc").delete()
      (path, chosen.getName)
    }
    val (path, name) = broken("corrupt", _.last)
    val query = s"SELECT id FROM cars WHERE in_file(id, '$path')"
    bothForms {
      withConf("spark.sql.files.ignoreCorruptFiles" -> "true") {
        checkAnswer(
          sql(query),
          sql(s"SELECT id FROM cars LEFT SEMI JOIN parquet.`$path` USING (id)"))
      }
      val e = intercept[Exception](sql(query).collect())
      assert(causes(e).exists(c => String.valueOf(c.getMessage).contains(name)), e)
    }
    // Spark cannot infer the schema from this file either.
    val (first, _) = broken("corrupt.first", _.head)
    for (ignored <- Seq("true", "false"))
      withConf("spark.sql.files.ignoreCorruptFiles" -> ignored) {
        val e =
          intercept[AnalysisException](sql(s"SELECT id FROM cars WHERE in_file(id, '$first')"))
        assert(e.getMessage.contains("corrupt.first cannot be read"), e)
      }
  }

  /** Rewrites a file, and restores its modification time. */
  private def replace(path: String)(write: => Any): Unit = {
    val time = new File(path).lastModified
    write
    assert(new File(path).setLastModified(time))
  }

  test("a file that is replaced by one of the same length and time is read again") {
    val path = file("same.csv", "1", "2")
    val query = s"SELECT count(*) FROM cars WHERE in_file(id, '$path')"
    assert(count(query) == 2)
    replace(path)(file("same.csv", "3", "x"))
    intercept[Exception](count(query))
    replace(path)(file("same.csv", "4", "4"))
    assert(count(query) == 1)
    // A column that has moved is found, too.
    val named = file("named.csv", "a,b", "1,5")
    val byName =
      s"SELECT max(id) FROM cars WHERE in_file(id, '$named', map('header', 'true', 'column', 'b'))"
    assert(count(byName) == 5)
    replace(named)(file("named.csv", "b,a", "6,7"))
    assert(count(byName) == 6)
  }

  test("a table's file that is replaced by one of the same length and time is read again") {
    withTable("listed") {
      val path = new File(dir, "listed")
      path.mkdir()
      sql(s"CREATE TABLE listed (v BIGINT) USING csv LOCATION '$path'")
      file("listed/a.csv", "1")
      val query = "SELECT count(*), max(id) FROM cars WHERE in_table(id, 'listed.v')"
      sql("REFRESH TABLE listed")
      checkAnswer(sql(query), sql("SELECT 1L, 1L"))
      replace(s"$path/a.csv")(file("listed/a.csv", "8"))
      checkAnswer(sql(query), sql("SELECT 1L, 8L"))
    }
  }

  test("a file that is replaced between planning and execution, and put back") {
    val path = file("swap.csv", "1")
    val query = s"SELECT max(id) FROM cars WHERE in_file(id, '$path')"
    for (_ <- 1 to 2) {
      val df = sql(query)
      df.queryExecution.optimizedPlan
      val kept = new File(dir, "swap.kept")
      Files.move(new File(path).toPath, kept.toPath)
      file("swap.csv", "9")
      assert(Seq(1L, 9L).contains(df.head().getLong(0)))
      new File(path).delete()
      Files.move(kept.toPath, new File(path).toPath)
      assert(count(query) == 1)
    }
  }

  test("an unstable source is read once for all that its values do") {
    import ValuesOfFilesSuite.reads
    val next = udf(() => ValuesOfFilesSuite.reads.incrementAndGet() % 1000).asNondeterministic()
    spark.udf.register("next_value", next)
    spark.range(0, 50, 1, 1).selectExpr("next_value() AS v").createOrReplaceTempView("unstable")
    for {
      aqe <- Seq("true", "false")
      query <- Seq(
        "SELECT id FROM cars WHERE in_table(id, 'unstable.v')",
        "SELECT max(c), count(*) FROM (SELECT colour, count(*) AS c FROM cars WHERE in_table(id, 'unstable.v') GROUP BY colour)",
        "WITH w AS (SELECT * FROM cars WHERE in_table(id, 'unstable.v')) SELECT a.id FROM w a JOIN w b ON a.id = b.id",
        "SELECT id, in_table(id, 'unstable.v') FROM cars WHERE NOT in_table(id, 'unstable.v') OR id > 5"
      )
    } withConf("spark.sql.adaptive.enabled" -> aqe) {
      reads.set(0)
      val found = sql(query).collect()
      assert(reads.get == 50, query)
      if (query.contains("w a")) assert(found.length == 50, query)
    }
  }

  test("Spark makes Bloom filters of rows with such predicates") {
    val path = file("bloom.csv", (0 until 2000 by 3).map(_.toString): _*)
    withConf(
      "spark.sieve.dynamicFilter.enabled" -> "false",
      "spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.sql.optimizer.runtime.bloomFilter.enabled" -> "true",
      "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold" -> "1b"
    ) {
      def blooms(where: String) = sql(
        s"SELECT a.id FROM cars a JOIN cars b ON a.id = b.id WHERE $where").queryExecution.optimizedPlan
        .collect { case p =>
          p.expressions.flatMap(_.collect { case m: BloomFilterMightContain => m })
        }
        .flatten
        .size
      assert(blooms("b.brand = 'brand 3'") == 1)
      assert(blooms(s"b.brand = 'brand 3' AND in_file(b.id, '$path')") == 1)
    }
  }

  test("streams, caches and views") {
    val path = file("stream.csv", (0 until 2000 by 3).map(_.toString): _*)
    val rows = new File(dir, "arriving").getPath
    sql("SELECT * FROM cars").write.parquet(rows)
    val schema = spark.table("cars").schema
    bothForms {
      val name = s"streamed${System.nanoTime()}"
      spark.readStream
        .schema(schema)
        .parquet(rows)
        .where(s"in_file(id, '$path') AND NOT coalesce(in_file(code, '$path'), false)")
        .writeStream
        .format("memory")
        .queryName(name)
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination()
      val expected =
        sql("SELECT * FROM cars WHERE id % 3 = 0 AND NOT coalesce(code % 3 = 0, false)")
      checkAnswer(spark.table(name), expected)
      withTempView("chosen") {
        sql(
          s"CREATE TEMP VIEW chosen AS SELECT * FROM cars WHERE in_file(id, '$path') AND NOT coalesce(in_file(code, '$path'), false)")
        checkAnswer(sql("SELECT * FROM chosen"), expected)
        spark.catalog.cacheTable("chosen")
        checkAnswer(sql("SELECT * FROM chosen"), expected)
        spark.catalog.uncacheTable("chosen")
      }
    }
  }

  test("DELETE, UPDATE and MERGE") {
    val path = file("deleted.csv", (0 until 60 by 3).map(_.toString): _*)
    withConf(
      "spark.sql.catalog.rows" ->
        "org.apache.spark.sql.connector.catalog.InMemoryRowLevelOperationTableCatalog") {
      def changed(statement: String) = {
        sql("CREATE TABLE rows.n.t (pk INT NOT NULL, id INT, dep STRING) PARTITIONED BY (dep)")
        try {
          sql(
            "INSERT INTO rows.n.t SELECT cast(id AS INT), cast(id AS INT), concat('d', id % 3) FROM range(40)")
          sql(statement)
          sql("SELECT * FROM rows.n.t").collect().map(_.toString).toSeq.sorted
        } finally sql("DROP TABLE rows.n.t")
      }
      for {
        statement <- Seq(
          s"DELETE FROM rows.n.t WHERE in_file(id, '$path')",
          s"UPDATE rows.n.t SET id = -1 WHERE in_file(id, '$path') AND pk > 5",
          "MERGE INTO rows.n.t AS t USING (SELECT cast(id AS INT) AS id FROM range(30, 50)) AS s " +
            s"ON t.pk = s.id WHEN MATCHED AND in_file(t.id, '$path') THEN DELETE " +
            "WHEN MATCHED THEN UPDATE SET id = -1 " +
            s"WHEN NOT MATCHED AND in_file(s.id, '$path') THEN INSERT (pk, id, dep) VALUES (s.id, s.id, 'new')"
        )
      } {
        val expected = changed(statement.replaceAll("in_file\\((\\S+), '[^']*'\\)", "($1 % 3 = 0)"))
        assert(changed(statement) == expected, statement)
        withConf("spark.sieve.bulkFilter.maxLeafBytes" -> "1b") {
          Try(changed(statement)) match {
            case Success(rows) => assert(rows == expected, statement)
            case Failure(e) => assert(e.isInstanceOf[KeysTooLargeException], e)
          }
        }
      }
    }
  }
}

object ValuesOfFilesSuite {

  /** The number of values that were read from the unstable source. */
  val reads = new AtomicLong
}
