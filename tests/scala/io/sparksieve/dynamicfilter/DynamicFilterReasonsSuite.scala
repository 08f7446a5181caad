// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.optimize.{DynamicFilter, InjectDynamicFilter}
import io.sparksieve.report.core.{Reason, Report}

/** One query for each reason why the feature declines a join, and the contents of a report. */
class DynamicFilterReasonsSuite extends DynamicFilterTest {

  private def join(kind: String, where: String = "small.dept = 7") =
    s"SELECT big.k FROM big $kind small ON big.id = small.id WHERE $where"

  test("not-selective") {
    shuffled {
      assertLeft(Reason.NotSelective)(sql("SELECT big.k FROM big JOIN small ON big.id = small.id"))
      assertLeft(Reason.NotSelective)(sql(join("JOIN", "small.dept IS NOT NULL")))
    }
  }

  test("foreign-operator") {
    shuffled {
      withConf("spark.plugins" -> "org.apache.spark.CometPlugin") {
        assertLeft(Reason.ForeignOperator)(sql(join("JOIN")))
        withConf("spark.comet.enabled" -> "false")(assertFiltered(sql(join("JOIN"))))
      }
    }
  }

  test("preserved-side") {
    shuffled {
      assertLeft(Reason.PreservedSide)(
        sql("SELECT big.k FROM big LEFT JOIN small ON big.id = small.id AND small.dept = 7"))
    }
  }

  test("key-not-traced") {
    shuffled {
      assertLeft(Reason.KeyNotTraced)(
        sql("SELECT big.k FROM big JOIN small ON big.id % 1000 = small.id WHERE small.dept = 7"))
    }
  }

  test("unsupported-key-type") {
    shuffled {
      assertLeft(Reason.UnsupportedKeyType)(
        sql("""SELECT b.k FROM (SELECT *, array(id) AS a FROM big) b
          JOIN (SELECT *, array(id) AS a FROM small) s ON b.a = s.a WHERE s.dept = 7"""))
    }
  }

  test("filtered-side-broadcast") {
    assertLeft(Reason.FilteredSideBroadcast)(
      sql("""SELECT /*+ BROADCAST(big) */ big.k FROM big JOIN small ON big.id = small.id
        WHERE small.dept = 7"""))
  }

  test("nothing-to-skip") {
    withTempPath { dir =>
      spark.table("big").write.json(dir.getCanonicalPath)
      val query = s"""SELECT b.k FROM json.`${dir.getCanonicalPath}` b
        JOIN small ON b.id = small.id WHERE small.dept = 7"""
      assertLeft(Reason.NothingToSkip)(sql(query))
      // Before a shuffle, dropping rows pays even if the scan can skip nothing.
      shuffled(assertFiltered(sql(query)))
    }
  }

  test("pruned-by-spark") {
    withTable("parts") {
      sql("CREATE TABLE parts USING parquet PARTITIONED BY (grp) AS SELECT id, grp FROM big")
      val query = "SELECT p.id FROM parts p JOIN small s ON p.grp = s.dept WHERE s.s = 's70'"
      assertLeft(Reason.PrunedBySpark)(sql(query))
      // If a subquery of its own does not pay, Spark prunes only by the keys of a broadcast.
      shuffled {
        val ran = assertFiltered(sql(query))
        assert(ran.metric("filesSkipped") > 0, ran.plan)
      }
    }
  }

  test("build-side-too-large") {
    shuffled {
      withConf(SieveConf.DYNAMIC_FILTER_MAX_BUILD_BYTES.key -> "10") {
        assertLeft(Reason.BuildSideTooLarge)(sql(join("JOIN")))
      }
    }
  }

  test("build-side-too-large: the scan that would be filtered is not so much larger") {
    withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "1000") {
      shuffled(assertLeft(Reason.BuildSideTooLarge)(sql(Document)))
      // A broadcast is built anyway.
      assertFiltered(sql(Document))
      // It takes a stage of its own, but the scan in the stage of the join begins after it.
      val grouped = "(SELECT id, max(dept) AS dept FROM small WHERE dept = 7 GROUP BY id) s"
      assertFiltered(sql(s"SELECT b.k FROM big b JOIN $grouped ON b.id = s.id"))
      assertLeft(Reason.BuildSideTooLarge)(
        sql(s"SELECT b.id FROM (SELECT DISTINCT id FROM big) b JOIN $grouped ON b.id = s.id"))
    }
    withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key -> "1.5") {
      shuffled(assertFiltered(sql(Document)))
    }
  }

  test("shared-part") {
    val shared = """WITH f AS (SELECT id, count(*) AS n FROM big WHERE id IS NOT NULL GROUP BY id)
      SELECT x.id, x.n FROM f x JOIN small ON x.id = small.id WHERE small.dept = 7"""
    for (threshold <- Seq("-1", "10MB"))
      withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        assertLeft(Reason.SharedPart)(sql(s"$shared UNION ALL SELECT id, n FROM f"))
        // The shared part is used once, or both of its uses have the same filter.
        assertFiltered(sql(shared))
        assertFiltered(sql(s"""WITH f AS ($shared)
          SELECT f.id, g.id AS other FROM f LEFT JOIN f g ON f.n = g.n + 1"""))
      }
  }

  test("bucketed-build-side") {
    withTable("buckets") {
      spark.table("small").write.bucketBy(4, "id").saveAsTable("buckets")
      shuffled {
        val query = "SELECT big.k FROM big JOIN buckets b ON big.id = b.id WHERE b.dept = 7"
        assertLeft(Reason.BucketedBuildSide)(sql(query))
        withConf(SQLConf.BUCKETING_ENABLED.key -> "false")(assertFiltered(sql(query)))
      }
    }
  }

  test("nested-too-deep") {
    // At each level, the keys of the part filtered so far filter the next scan.
    def level(n: Int): String =
      if (n == 0) "SELECT id FROM small WHERE dept = 7"
      else
        s"""SELECT /*+ MERGE(b) */ b.id FROM big b JOIN (${level(n - 1)}) f$n
           |ON b.id = f$n.id AND b.k + $n > 0""".stripMargin
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      shuffled {
        val (plan, entries) = planned(sql(level(7)))
        assert(entries.exists(_.reason.contains(Reason.NestedTooDeep)), entries)
        val filters = plan.collectWithSubqueries { case f: DynamicFilter => f }.length
        assert(filters > 0 && filters < 40, filters)
        assert(checked(sql(level(7))).rows.length == 10)
      }
    }
  }

  test("reuse-off") {
    withConf(SQLConf.EXCHANGE_REUSE_ENABLED.key -> "false") {
      assertLeft(Reason.ReuseOff)(sql(join("JOIN")))
      shuffled(assertLeft(Reason.ReuseOff)(sql(join("JOIN"))))
    }
    withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false") {
      assertLeft(Reason.ReuseOff)(sql(join("JOIN")))
      shuffled(assertFiltered(sql(join("JOIN"))))
    }
  }

  test("reuse-off: a second copy of a cached table that has an order") {
    withTempView("ordered") {
      spark
        .range(0, 1000, 1, 1)
        .selectExpr("id", "cast(id / 10 AS INT) AS dept")
        .createOrReplaceTempView("ordered")
      sql("CACHE TABLE ordered")
      val joined = "SELECT b.k, s.id FROM big b JOIN ordered s ON b.id = s.id WHERE s.dept = 7"
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1",
        // With more partitions, Spark itself compares the copies, and fails.
        SQLConf.SHUFFLE_PARTITIONS.key -> "1"
      ) {
        val query = s"WITH j AS ($joined) SELECT k FROM j UNION ALL SELECT id FROM j"
        val ran = checked(sql(query))
        assert(ran.filters.length == 1, ran.plan)
        val (_, entries) = planned(sql(query))
        assert(entries.exists(_.reason.contains(Reason.ReuseOff)), entries)
      }
    }
  }

  test("reuse-off: partitions that Spark chooses by a query of its own") {
    withTempPath { dir =>
      val path = dir.getCanonicalPath
      spark
        .range(0, 200000, 1, 1)
        .selectExpr("id", "id % 7 AS v", "id % 10 AS part")
        .write
        .partitionBy("part")
        .parquet(path)
      val query = s"""SELECT b.k FROM (
        SELECT p.id FROM parquet.`$path` p JOIN small s ON p.part = s.dept WHERE s.id = 20 AND p.v = 3
      ) q JOIN big b ON b.id = q.id"""
      def filters = planned(sql(query))._1.collect {
        case f: DynamicFilter if f.key.references.exists(_.name == "id") => f
      }
      shuffled {
        withConf(
          SQLConf.DYNAMIC_PARTITION_PRUNING_USE_STATS.key -> "false",
          SQLConf.DYNAMIC_PARTITION_PRUNING_FALLBACK_FILTER_RATIO.key -> "1") {
          assert(filters.size == 1)
          checked(sql(query))
          withConf(SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key -> "false") {
            assert(filters.isEmpty)
            checked(sql(query))
          }
        }
      }
    }
  }

  test("deferred-column") {
    withConf(
      SQLConf.ANSI_ENABLED.key -> "true",
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "true",
      SQLConf.CODEGEN_FACTORY_MODE.key -> "FALLBACK") {
      val keys = "(SELECT id, k, coalesce(k, 0) * 2000000 AS n FROM big) b"
      for (hint <- Seq("merge(s)", "shuffle_hash(s)", "broadcast(s)")) {
        // The rows whose product overflows have no partner in g.
        val query = s"""SELECT /*+ broadcast(g), $hint */ b.id, b.n FROM $keys
          JOIN (SELECT id AS g FROM small WHERE id < 1000) g ON b.k = g.g
          JOIN (SELECT id * 1000000 AS m, dept FROM small) s ON b.n = s.m WHERE s.dept = 2"""
        val (plan, entries) = planned(sql(query))
        // In a join that shuffles, keys collected from this side may filter s instead.
        val says = entries.exists(_.reason.contains(Reason.DeferredColumn))
        assert(says || !hint.startsWith("broadcast"), entries)
        assert(!plan.exists {
          case f: DynamicFilter => f.key.references.exists(_.name == "n")
          case _ => false
        })
        checked(sql(query))
      }
    }
  }

  test("below-gate") {
    withConf(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key -> "1GB") {
      assertLeft(Reason.BelowGate)(sql(join("JOIN")))
    }
  }

  test("non-deterministic: what depends on order or partitions of the join's rows") {
    val joined = "FROM big JOIN small ON big.id = small.id WHERE small.dept = 7"
    for (query <- Seq(
        s"SELECT count(*) $joined AND monotonically_increasing_id() > 8589934591",
        s"SELECT count(*) $joined AND rand(1) < 0.5",
        s"SELECT big.id, spark_partition_id() AS p $joined",
        s"SELECT big.id, big._metadata $joined",
        s"SELECT * FROM (SELECT big.id $joined) TABLESAMPLE (50 PERCENT) REPEATABLE (3)"
      )) {
      assertLeft(Reason.NonDeterministic)(sql(query))
    }
    // These columns differ in every run anyway, so they do not prevent a filter.
    for (column <- Seq("uuid()", "rand()", "big._metadata.file_name")) {
      val (plan, _) = planned(sql(s"SELECT big.id, $column AS u $joined"))
      assert(plan.exists(_.isInstanceOf[DynamicFilter]), plan)
    }
  }

  test("non-deterministic") {
    shuffled {
      for (side <- Seq(
          "SELECT id FROM small WHERE dept = 7 AND rand() > 0.5",
          "SELECT id FROM small WHERE dept = 7 LIMIT 3",
          "SELECT first(id) AS id FROM small WHERE dept < 7 GROUP BY dept",
          """SELECT id FROM (SELECT *, row_number() OVER (PARTITION BY dept ORDER BY 1) AS r
             FROM small) WHERE r = 1"""
        )) {
        val (plan, entries) = planned(sql(s"SELECT big.k FROM big JOIN ($side) s ON big.id = s.id"))
        assert(entries.exists(_.reason.contains(Reason.NonDeterministic)), s"$side\n$entries")
        assert(!plan.exists(_.isInstanceOf[DynamicFilter]), plan)
      }
    }
  }

  test("switched-off") {
    withConf(SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false") {
      assertLeft(Reason.SwitchedOff)(sql(Document))
      // Before a shuffle, dropping rows pays even if the scan can skip nothing.
      assert(shuffled(assertFiltered(sql(Document))).scans.isEmpty)
    }
  }

  test("corrupt-files-ignored") {
    withTable("ignoring") {
      sql("CREATE TABLE ignoring USING parquet OPTIONS (ignoreCorruptFiles 'true') AS TABLE big")
      val query =
        """SELECT b.k FROM ignoring b JOIN small ON b.id = small.id WHERE small.dept = 7"""
      assertLeft(Reason.CorruptFilesIgnored)(sql(query))
      assert(shuffled(assertFiltered(sql(query))).scans.isEmpty)
    }
  }

  test("source-not-pinned") {
    withConf(SQLConf.DEFAULT_SIZE_IN_BYTES.key -> "10000") {
      val rows = spark.createDataFrame(spark.table("small").rdd, spark.table("small").schema)
      def query = spark.table("big").join(rows.where("dept = 7"), "id")
      shuffled(assertLeft(Reason.SourceNotPinned)(query))
    }
  }

  test("streaming") {
    val (_, entries) = Report.collecting(ruled(spark))
    assert(entries.exists(_.reason.contains(Reason.Streaming)), entries)
  }

  private def ruled(session: SparkSession): LogicalPlan = {
    val stream = session.readStream.format("rate").load()
    val keyed: DataFrame = stream
      .join(session.table("small").where("dept = 7").withColumnRenamed("id", "value"), "value")
    shuffled(InjectDynamicFilter(keyed.queryExecution.analyzed))
  }

  test("sieve_report after a run shows what was measured") {
    shuffled {
      sql(Document).collect()
      val rows = spark.sql(s"SELECT outcome, rule, place, detail FROM sieve_report('$Document')")
      val shown = rows.collect().map(_.mkString(" | "))
      assert(shown.exists(_.startsWith("applied | InjectDynamicFilter")), shown.mkString("\n"))
      val filter = shown.find(_.startsWith("measured | DynamicFilter | "))
      assert(filter.exists(_.contains("10 keys (")), shown.mkString("\n"))
      assert(filter.exists(_.contains("from a shuffle; 10 of ")), shown.mkString("\n"))
      val expected = "expected: [0-9.]+ [KM]iB with keys for a scan of [0-9.]+ [KM]iB".r
      assert(filter.exists(expected.findFirstIn(_).nonEmpty), shown.mkString("\n"))
      assert(
        shown.exists(s =>
          s.startsWith("measured | DynamicScan") && s.matches(".* files? skipped.*")),
        shown.mkString("\n"))
    }
  }

  test("there is a query for each reason of the feature") {
    for (reason <- DynamicFilterReasonsSuite.provoked) {
      assert(testNames.contains(reason.code), reason.code)
    }
  }
}

object DynamicFilterReasonsSuite {

  /** The feature's own reasons; each has a test named after its code. */
  val provoked: Set[Reason] = Set(
    Reason.NotSelective,
    Reason.ForeignOperator,
    Reason.PreservedSide,
    Reason.KeyNotTraced,
    Reason.UnsupportedKeyType,
    Reason.FilteredSideBroadcast,
    Reason.NothingToSkip,
    Reason.PrunedBySpark,
    Reason.BuildSideTooLarge,
    Reason.BucketedBuildSide,
    Reason.NestedTooDeep,
    Reason.SharedPart,
    Reason.ReuseOff,
    Reason.DeferredColumn,
    Reason.SwitchedOff,
    Reason.CorruptFilesIgnored,
    Reason.SourceNotPinned
  )
}
