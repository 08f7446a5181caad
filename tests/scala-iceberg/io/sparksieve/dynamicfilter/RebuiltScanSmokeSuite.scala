// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter


import org.apache.spark.sql.Row
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** Scans of Iceberg tables that are built anew: types, filters, evolved tables, and what differs. */
class RebuiltScanSmokeSuite extends IcebergTest {

  private def withRows(columns: String, partitions: String = "", properties: String = "")(
      body: => Unit): Unit = withTable(T) {
    val by = if (partitions.isEmpty) "" else s"PARTITIONED BY ($partitions)"
    val set = if (properties.isEmpty) "" else s"TBLPROPERTIES ($properties)"
    bigRows.selectExpr(columns.split("; ").toSeq: _*).createOrReplaceTempView("rows")
    sql(s"CREATE TABLE $T USING iceberg $by $set AS SELECT * FROM rows WHERE false")
    spark.table("rows").writeTo(T).append()
    body
  }

  private val ids = 700 to 790 by 10

  /** A join whose side `small` has the keys 700 to 790, as `key`, in the column `c`. */
  private def joined(key: String, where: String = "true", t: String = T) =
    s"SELECT t.id FROM $t AS t JOIN (SELECT $key AS c FROM small WHERE dept = 7) s " +
      s"ON t.c = s.c WHERE $where"

  private val rows = ids.map(id => Row(id.toLong))

  for ((dataType, key) <- Seq(
      "INT" -> "CAST(id AS INT)",
      "BIGINT" -> "id",
      "DATE" -> "date_add(DATE'1950-01-01', CAST(id AS INT))"
    )) {

    test(s"keys of type $dataType") {
      withRows(s"id; $key AS c")(assertRebuilt(joined(key), rows, mostFiles = 1))
    }
  }

  for ((dataType, key) <- Seq(
      "DOUBLE" -> "CAST(id AS DOUBLE)",
      "DECIMAL" -> "CAST(id AS DECIMAL(9, 2))",
      "BINARY" -> "CAST(concat('k', id) AS BINARY)",
      "TIMESTAMP" -> "timestamp_seconds(id * 100)",
      "TIMESTAMP_NTZ" -> "CAST(timestamp_seconds(id * 100) AS TIMESTAMP_NTZ)",
      "STRING" -> "concat('k', lpad(id, 6, '0'))"
    )) {

    test(s"keys of type $dataType do not skip files") {
      withRows(s"id; $key AS c") {
        assertLeft(Reason.NothingToSkip)(sql(joined(key)))
        assertRows(run(sql(joined(key))), rows)
      }
    }
  }

  test("files of others, in milliseconds and of unmarked strings, without their name mapping") {
    withTempPath { dir =>
      val files = dir.getPath
      withTable(T) {
        withConf(SQLConf.PARQUET_OUTPUT_TIMESTAMP_TYPE.key -> "TIMESTAMP_MILLIS") {
          val others =
            bigRows.selectExpr("id", "timestamp_seconds(id) AS c", "CAST(s AS BINARY) AS s")
          others.write.parquet(files)
        }
        sql(s"CREATE TABLE $T (id BIGINT, c TIMESTAMP, s STRING) USING iceberg")
        withConf(SQLConf.PARQUET_BINARY_AS_STRING.key -> "true") {
          sql(s"CALL ice.system.add_files(table => 'db.t', source_table => '`parquet`.`$files`')")
        }
        sql(s"ALTER TABLE $T UNSET TBLPROPERTIES ('schema.name-mapping.default')")
        eachJoin { _ =>
          assertRows(run(sql(joined("timestamp_seconds(id)"))), rows)
          assertRows(run(sql(joined("s").replace("t.c", "t.s"))), rows)
        }
      }
    }
  }

  test("files of others whose columns have another order, without their name mapping") {
    withTempPath { dir =>
      val files = dir.getPath
      withTable(T) {
        bigRows.selectExpr("1000 - id AS id", "id AS c").write.parquet(files)
        sql(s"CREATE TABLE $T (c BIGINT, id BIGINT) USING iceberg")
        sql(s"CALL ice.system.add_files(table => 'db.t', source_table => '`parquet`.`$files`')")
        sql(s"ALTER TABLE $T UNSET TBLPROPERTIES ('schema.name-mapping.default')")
        eachJoin { _ =>
          val ran = run(sql(joined("id")))
          assertRows(ran, off(sql(joined("id"))))
          assert(ran.rows.nonEmpty && ran.metric("filesSkipped") == 0, ran.plan)
        }
      }
    }
  }

  test("filters that the source evaluates fully, in part, and not at all") {
    withRows("id; id AS c; grp; s; CAST(id AS INT) AS n", "grp") {
      for {
        (filter, expected) <- Seq(
          "grp = 0" -> Seq(700L, 750L),
          "grp = 0 AND n > 720" -> Seq(750L),
          "GRP IN (0, 10) AND N <> 710" -> Seq(700L, 750L, 760L),
          "s LIKE 's7%0' AND grp > 10" -> Seq(720L, 730L, 740L, 770L, 780L, 790L),
          "length(s) = 4 AND (grp = 0 OR n = 710)" -> Seq(700L, 710L, 750L),
          "(grp, n) IN (SELECT grp, n FROM rows WHERE n > 780)" -> Seq(790L)
        )
      } eachJoin { _ =>
        val ran = assertFiltered(sql(joined("id", filter)))
        assertRows(ran, expected.map(Row(_)))
        assert(ran.metric("filesBefore") > 0, s"$filter is not built anew\n${ran.plan}")
      }
    }
  }

  test("sides of a union with different filters over one relation") {
    withRows("id; id AS c; CAST(id AS INT) AS n") {
      val table = spark.table(T)
      val both = table.where("n < 720").union(table.where("n > 770")).union(table)
      both.createOrReplaceTempView("both")
      eachJoin { _ =>
        val ran = assertFiltered(sql(joined("id", t = "both")))
        assertRows(ran, rows ++ rows.take(2) ++ rows.takeRight(2))
      }
    }
  }

  test("no key is left: no file is read") {
    // Adaptive execution would not start the scan.
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      withRows("id; id AS c") {
        eachJoin { _ =>
          val none = joined("id").replace("dept = 7", "dept = 7 AND concat(s, 'x') = 's'")
          val ran = assertFiltered(sql(none))
          assertRows(ran, Nil)
          assert(ran.metric("filesBefore") == 8 && ran.metric("filesSkipped") == 8, ran.plan)
        }
      }
    }
  }

  test("a global aggregate over a scan without files has its row") {
    withRows("id; id AS c") {
      eachJoin { _ =>
        val query = joined("id").replace("dept = 7", "dept = 7 AND concat(s, 'x') = 's'")
        assertRows(run(sql(s"SELECT count(*), max(id) FROM ($query)")), Seq(Row(0L, null)))
      }
    }
  }

  test("columns renamed, added and dropped since files were written") {
    withRows("id; id AS c; s") {
      sql(s"ALTER TABLE $T RENAME COLUMN c TO d")
      sql(s"ALTER TABLE $T RENAME COLUMN s TO c")
      sql(s"ALTER TABLE $T ADD COLUMN e BIGINT")
      assertRebuilt(joined("id").replace("t.c", "t.d"), rows, mostFiles = 1)
      sql(s"INSERT INTO $T SELECT id + 20000, id, s, id FROM big WHERE id BETWEEN 780 AND 785")
      assertRebuilt(joined("id").replace("t.c", "t.d"), rows :+ Row(20780L), mostFiles = 3)
      val ran = run(sql(joined("id").replace("t.c", "t.e")))
      assertRows(ran, Seq(Row(20780L)))
      sql(s"ALTER TABLE $T DROP COLUMN c")
      assertRebuilt(joined("id").replace("t.c", "t.d"), rows :+ Row(20780L), mostFiles = 3)
    }
  }

  test("a tag by whose schema another column has the name, and a column that was widened") {
    withRows("id; id AS c; CAST(id AS INT) AS n; id + 100000 AS x") {
      sql(s"ALTER TABLE $T CREATE TAG tg")
      sql(s"ALTER TABLE $T RENAME COLUMN c TO tmp")
      sql(s"ALTER TABLE $T RENAME COLUMN x TO c")
      assertPlanned(joined("id", t = s"$T VERSION AS OF 'tg'"), rows)
      sql(s"ALTER TABLE $T ALTER COLUMN n TYPE BIGINT")
      assertPlanned(joined("id").replace("t.c", "t.n"), rows)
    }
  }

  test("a schema that changes between planning and execution") {
    withRows("id; id AS c; id + 100000 AS x") {
      eachJoin { _ =>
        val planned = sql(joined("id"))
        planned.queryExecution.executedPlan
        sql(s"ALTER TABLE $T RENAME COLUMN c TO tmp")
        sql(s"ALTER TABLE $T RENAME COLUMN x TO c")
        assert(planned.collect().toSet == rows.toSet)
        sql(s"ALTER TABLE $T RENAME COLUMN c TO x")
        sql(s"ALTER TABLE $T RENAME COLUMN tmp TO c")
      }
    }
  }

  test("columns that are read change between planning and execution") {
    withRows("id; id AS c; id * 2 AS v; id + 100000 AS x; named_struct('a', id, 'b', -id) AS st") {
      for (swap <- Seq("v" -> "x", "st.a" -> "b")) eachJoin { _ =>
        val planned = sql(joined("id").replace("t.id FROM", "t.id, t.v, t.st.a FROM"))
        planned.queryExecution.executedPlan
        val (name, other) = swap
        val path = name.take(name.lastIndexOf('.') + 1)
        def rename(from: String, to: String) =
          sql(s"ALTER TABLE $T RENAME COLUMN $path$from TO $to")
        val last = name.drop(path.length)
        rename(last, "tmp")
        rename(other, last)
        val expected = ids.map(id => Row(id.toLong, id * 2L, id.toLong))
        assert(planned.collect().toSet == expected.toSet, name)
        rename(last, other)
        rename("tmp", last)
      }
    }
  }

  test("a table that was changed since the scan was planned, without the catalog's cache") {
    val t = T.replace("ice.", "uncached.")
    withConf(
      "spark.sql.catalog.uncached" -> "org.apache.iceberg.spark.SparkCatalog",
      "spark.sql.catalog.uncached.type" -> "hadoop",
      "spark.sql.catalog.uncached.warehouse" -> spark.conf.get("spark.sql.catalog.ice.warehouse"),
      "spark.sql.catalog.uncached.cache-enabled" -> "false") {
      withRows("id; id AS c") {
        eachJoin { _ =>
          val planned = sql(joined("id", t = t))
          planned.queryExecution.executedPlan
          sql(s"INSERT INTO $t SELECT -id, id FROM big WHERE id = 700")
          // The table of the planned scan is as it was.
          val ran = run(planned)
          assertRows(ran, rows)
          assert(ran.metric("filesSkipped") > 0, ran.plan)
          sql(s"DELETE FROM $t WHERE id < 0")
        }
      }
    }
  }

  test("negative keys: Iceberg's truncate overflows") {
    withTable(T) {
      sql(s"CREATE TABLE $T (id BIGINT, c BIGINT) USING iceberg PARTITIONED BY (truncate(100, c))")
      sql(s"INSERT INTO $T SELECT id, if(id < 700, -9223372036854775808 + id, id) FROM big")
      val low = "-9223372036854775808 + id - 700"
      // Spark itself prunes the broadcast join, because the key is the source of a partition.
      shuffled {
        val ran = assertFiltered(sql(joined(low)))
        assertRows(ran, (0 to 90 by 10).map(id => Row(id.toLong)))
        assert(ran.metric("filesBefore") == 0, ran.plan)
        // The sign of keys in a Bloom filter counts too.
        withConf(
          SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "true",
          SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "1") {
          val many = assertFiltered(sql(joined(low)))
          assertRows(many, (0 to 90 by 10).map(id => Row(id.toLong)))
          assert(many.metric("filesBefore") == 0 && many.keys.sum > 0, many.plan)
          assert(assertFiltered(sql(joined("id"))).metric("filesSkipped") > 0)
        }
        assert(assertFiltered(sql(joined("id"))).metric("filesSkipped") > 0)
      }
    }
  }

  test("files of two formats, which are read as rows together and as batches apart") {
    withRows("id; id AS c") {
      sql(s"ALTER TABLE $T SET TBLPROPERTIES ('write.format.default' = 'orc')")
      sql(s"INSERT INTO $T SELECT id + 20000, id + 20000 FROM big")
      assertRebuilt(joined("id"), rows, mostFiles = 1)
      assertRebuilt(
        joined("id").replace("SELECT id AS c", "SELECT id + 20000 AS c"),
        ids.map(id => Row(id + 20000L)),
        mostFiles = 1)
    }
  }

  test("names with a dot, in another case, and of metadata columns") {
    withRows("id; id AS c; named_struct('b', -id) AS a; id AS `d.e`") {
      withConf(SQLConf.CASE_SENSITIVE.key -> "false") {
        assertRebuilt(joined("id").replace("t.c", "T.C"), rows, mostFiles = 1)
      }
      assertLeft(Reason.NothingToSkip)(sql(joined("id").replace("t.c", "t.`d.e`")))
      assertRows(run(sql(joined("id").replace("t.c", "t.`d.e`"))), rows)
      assertRows(run(sql(joined("id").replace("t.c", "-t.a.b"))), rows)
      val files = sql(s"SELECT DISTINCT _file AS c FROM $T WHERE id = 700")
      files.createOrReplaceTempView("files")
      val query = s"SELECT count(*) FROM $T t JOIN files ON t._file = files.c"
      assert(run(sql(query)).rows == withoutSieve(sql(query).collect().toSeq))
    }
  }

  test("self-joins, cached tables, and options of the read") {
    withRows("id; id AS c") {
      val self = s"SELECT x.id FROM $T x JOIN $T y ON x.c = y.c JOIN small ON y.c = small.id " +
        "WHERE small.dept = 7"
      eachJoin(_ => assertRows(run(sql(self)), rows))
      val split = spark.read.option("split-size", "1000").table(T)
      split.createOrReplaceTempView("split")
      assertRebuilt(joined("id", t = "split"), rows, mostFiles = 1)
      sql(s"CACHE TABLE $T")
      try eachJoin(_ => assertRows(run(sql(joined("id"))), rows))
      finally sql(s"UNCACHE TABLE $T")
    }
  }

  test("Spark's switch for runtime filters binds this too") {
    withRows("id; id AS c") {
      withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false") {
        assertLeft(Reason.ReuseOff)(sql(joined("id")))
        shuffled {
          val ran = assertFiltered(sql(joined("id")))
          assertRows(ran, rows)
          assert(ran.scans.isEmpty, ran.plan)
        }
      }
    }
  }
}
