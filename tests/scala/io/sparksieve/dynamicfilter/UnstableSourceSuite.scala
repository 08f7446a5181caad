// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkConf
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.LogicalRDD
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.dynamicfilter.exec.{DynamicKeys, JoinsBroadcast}
import io.sparksieve.dynamicfilter.optimize.DynamicFilter
import io.sparksieve.report.core.Reason

/** Creation sides that return other rows when they are read again. */
class UnstableSourceSuite extends DynamicFilterTest {

  // Spark assumes this size for an RDD. By default, an RDD is too large for the creation side.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.DEFAULT_SIZE_IN_BYTES.key, "10000")

  private val schema = StructType(
    Seq(StructField("id", LongType), StructField("dept", IntegerType)))

  /** 100 rows with ids of `big`; each read returns other rows. */
  private def unstable: DataFrame = {
    val rows = spark.sparkContext.parallelize(Seq(0), 1).mapPartitions { _ =>
      val read = UnstableSourceSuite.reads.getAndIncrement()
      Iterator.tabulate(100)(i => Row(((read * 100 + i) % 20000).toLong, 7))
    }
    spark.createDataFrame(rows, schema)
  }

  private def withUnstable(body: => Unit): Unit = {
    unstable.createOrReplaceTempView("unstable")
    try body
    finally {
      spark.catalog.dropTempView("unstable")
      ()
    }
  }

  private val shapes = Seq(
    "plain" -> "unstable",
    "repartitioned by the key" -> "(SELECT /*+ REPARTITION(7, id) */ * FROM unstable)",
    "repartitioned" -> "(SELECT /*+ REPARTITION(5) */ * FROM unstable)",
    "aggregated" -> "(SELECT id, max(dept) AS dept FROM unstable GROUP BY id)",
    "aggregated by more" -> "(SELECT id, dept, count(*) AS n FROM unstable GROUP BY id, dept)",
    "distinct" -> "(SELECT DISTINCT id, dept FROM unstable)"
  )

  private val joins = Seq(
    "inner" -> "SELECT big.id FROM big JOIN %s s ON big.id = s.id WHERE s.dept = 7",
    "merge" -> "SELECT /*+ MERGE(s) */ big.id FROM big JOIN %s s ON big.id = s.id WHERE s.dept = 7",
    "hashed" ->
      "SELECT /*+ SHUFFLE_HASH(s) */ big.id FROM big JOIN %s s ON big.id = s.id WHERE s.dept = 7",
    "outer" ->
      "SELECT big.id FROM (SELECT * FROM %s WHERE dept = 7) s LEFT JOIN big ON big.id = s.id",
    "semi" -> "SELECT id FROM big WHERE id IN (SELECT id FROM %s WHERE dept = 7)",
    "repartitioned probe" ->
      """SELECT b.id FROM (SELECT /*+ REPARTITION(7, id) */ * FROM big) b
        JOIN %s s ON b.id = s.id WHERE s.dept = 7""",
    "grouped probe" ->
      """SELECT b.id FROM (SELECT id, max(k) AS k FROM big GROUP BY id) b
        JOIN %s s ON b.id = s.id WHERE s.dept = 7"""
  )

  for (adaptive <- Seq("true", "false"); threshold <- Seq("-1", "10MB"))
    test(
      s"an RDD that gives other rows when it is read again, AQE $adaptive, broadcast $threshold") {
      withConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        withUnstable {
          for ((shape, side) <- shapes; (join, query) <- joins) {
            val ran = run(sql(query.format(side)))
            assert(ran.rows.length == 100, s"$shape, $join\n${ran.plan}")
            // Each row of the unstable side has a partner, in the outer join too.
            assert(!ran.rows.exists(_.isNullAt(0)), s"$shape, $join")
          }
        }
      }
    }

  test("the very broadcast that the join reads has the keys, whatever its source is") {
    for (adaptive <- Seq("true", "false"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        withUnstable {
          for (side <- Seq("unstable", "(SELECT * FROM small WHERE rand() >= 0)")) {
            val ran = run(
              sql(s"SELECT /*+ BROADCAST(s) */ big.id FROM big JOIN $side s " +
                "ON big.id = s.id WHERE s.dept = 7"))
            assert(ran.keys.forall(_ > 0) && ran.keys.nonEmpty, ran.plan)
            assert(ran.rows.length == ran.keys.head, ran.plan)
            assert(ran.metric("numRanges") > 0, ran.plan)
          }
        }
      }
  }

  test("an RDD that is read for two places at once stays the same in both") {
    // Spark infers big.id IN (..) too, and reuses the exchange.
    val query = """SELECT big.id FROM small s JOIN big ON big.id = s.id
      WHERE s.dept = 7 AND s.id IN (SELECT id FROM unstable)"""
    for (adaptive <- Seq("true", "false"); threshold <- Seq("-1", "10MB"))
      withConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
        withUnstable {
          val (plan, entries) = planned(sql(query))
          assert(entries.exists(_.reason.contains(Reason.SharedPart)), s"$plan\n$entries")
          assert(
            !plan.exists {
              case f: DynamicFilter => f.child.exists(_.isInstanceOf[LogicalRDD])
              case _ => false
            },
            plan)
        }
      }
  }

  test("an aggregated RDD that is read for one place is not shared") {
    withUnstable {
      val (plan, entries) = planned(sql("""SELECT /*+ BROADCAST(s) */ big.k
          FROM big JOIN (SELECT id FROM unstable WHERE dept = 7 GROUP BY id) s USING (id)"""))
      assert(!entries.exists(_.reason.contains(Reason.SharedPart)), s"$plan\n$entries")
      assert(plan.exists(_.isInstanceOf[DynamicFilter]), plan)
    }
  }

  test("another broadcast than the join's has no keys") {
    val keys = sql("SELECT id FROM big").queryExecution.analyzed.output
    val plan = spark.table("small").queryExecution.executedPlan
    assert(!JoinsBroadcast.isSame(plan, keys, "0") && !JoinsBroadcast.isSame(plan, keys, null))
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false") {
      val ran = run(
        sql("SELECT /*+ BROADCAST(small) */ big.k FROM big JOIN small USING (id) WHERE dept = 7"))
      val keysOf = ran.filters.map(_.source).collect { case k: DynamicKeys => k.subquery }.head
      // The plan of a query that has ended is not known any more.
      assert(!JoinsBroadcast.isSame(keysOf.child, keysOf.buildKeys, "0"))
    }
  }

  test("joined with itself") {
    for (adaptive <- Seq("true", "false"))
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        shuffled {
          withUnstable {
            val ran =
              run(sql("""SELECT x.id, big.k FROM unstable x JOIN unstable y ON x.dept = y.dept
              LEFT JOIN big ON big.id = x.id WHERE x.dept = 7"""))
            assert(ran.rows.length == 10000 && !ran.rows.exists(_.isNullAt(1)), ran.plan)
          }
        }
      }
  }

  test("source-not-pinned") {
    shuffled {
      withUnstable {
        assertLeftAlone(joins.head._2.format("unstable"))
      }
    }
  }

  private def assertLeftAlone(query: String): Unit = {
    val (plan, entries) = planned(sql(query))
    assert(entries.exists(_.reason.contains(Reason.SourceNotPinned)), entries)
    assert(!plan.exists(_.isInstanceOf[DynamicFilter]), plan)
  }

  test("a cached table is pinned if what it was made of is") {
    shuffled {
      withUnstable {
        withTempView("kept") {
          unstable
            .persist(org.apache.spark.storage.StorageLevel.MEMORY_ONLY)
            .createOrReplaceTempView("kept")
          sql("SELECT count(*) FROM kept").collect()
          assertLeftAlone(joins.head._2.format("kept"))
          spark.table("kept").unpersist()
        }
        withTempView("kept") {
          sql("CACHE TABLE kept AS SELECT * FROM small")
          assertFiltered(sql(joins.head._2.format("kept")))
          sql("UNCACHE TABLE kept")
        }
      }
    }
  }

  test("a checkpoint is pinned") {
    shuffled {
      withTempView("checkpointed") {
        unstable.localCheckpoint().createOrReplaceTempView("checkpointed")
        assertFiltered(sql(joins.head._2.format("checkpointed")))
      }
    }
  }

  test("files that may be ignored when they are read again") {
    shuffled {
      for (switch <- Seq(SQLConf.IGNORE_CORRUPT_FILES, SQLConf.IGNORE_MISSING_FILES))
        withConf(switch.key -> "true") {
          val (plan, _) = planned(sql(Document))
          assert(!plan.exists(_.isInstanceOf[DynamicFilter]), plan)
        }
    }
  }

  test("sources and operators that are pinned") {
    withTempPath { dir =>
      spark.table("small").write.json(dir.getCanonicalPath)
      val sides = Seq(
        "small",
        s"json.`${dir.getCanonicalPath}`",
        "(SELECT id * 10 AS id, 7 AS dept FROM range(10))",
        "(SELECT CAST(a AS BIGINT) AS id, b AS dept FROM VALUES (10, 7), (20, 8) AS v(a, b))",
        "(SELECT id, max(dept) AS dept FROM small GROUP BY id)",
        "(SELECT DISTINCT id, dept FROM small)",
        "(SELECT * FROM small UNION ALL SELECT * FROM small WHERE dept > 3)",
        "(SELECT x.id, y.dept FROM small x JOIN small y ON x.id = y.id)",
        "(SELECT explode(array(id, id + 1)) AS id, dept FROM small)",
        "(SELECT * FROM small WHERE id IN (SELECT id FROM big WHERE k > 7))"
      )
      shuffled {
        for (side <- sides)
          assertFiltered(
            sql(s"SELECT big.k FROM big JOIN $side s ON big.id = s.id WHERE s.dept + s.id % 2 = 7"))
      }
    }
  }
}

object UnstableSourceSuite {

  /** The number of reads; tasks run in this JVM, so that they share it. */
  val reads = new AtomicInteger
}
