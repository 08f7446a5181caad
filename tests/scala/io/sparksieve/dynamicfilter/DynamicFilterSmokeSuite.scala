// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.report.core.Reason

/**
 * A short test of the feature, run on every supported Spark version: each way to collect keys, and
 * each way in which scans use them.
 */
class DynamicFilterSmokeSuite extends DynamicFilterTest {

  for {
    adaptive <- Seq("true", "false")
    (kind, threshold) <- Seq(FilterProvenance.Shuffle -> "-1", FilterProvenance.Broadcast -> "10MB")
  } {
    test(s"the document's join, keys from a $kind, adaptive $adaptive") {
      withConf(
        SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1",
        // Spark's test session resolves columns by field id, and then Sieve reads no footers.
        "spark.sql.parquet.fieldId.read.enabled" -> "false"
      ) {
        val ran = assertFiltered(sql(Document))
        assert(ran.kinds == Seq(kind) && ran.keys == Seq(10), ran.plan)
        assert(ran.rowsOut == 10 && ran.rows.length == 10, ran.plan)
        assert(ran.metric("filesSkipped") == 7, ran.plan)
      }
    }
  }

  test("generated code and none") {
    shuffled {
      for (mode <- Seq("CODEGEN_ONLY", "NO_CODEGEN")) {
        withConf(
          SQLConf.CODEGEN_FACTORY_MODE.key -> mode,
          SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> (mode == "CODEGEN_ONLY").toString) {
          assert(assertFiltered(sql(Document)).rowsOut == 10)
        }
      }
    }
  }

  test("partitions, ORC, and rows that no scan skips") {
    withTable("parts", "orcs") {
      sql("CREATE TABLE parts USING parquet PARTITIONED BY (grp) AS SELECT id, grp FROM big")
      sql("CREATE TABLE orcs USING orc AS SELECT * FROM big")
      shuffled {
        val ran = assertFiltered(
          sql("SELECT p.id FROM parts p JOIN small s ON p.grp = s.dept WHERE s.s = 's70'"))
        assert(ran.metric("filesSkipped") > 0, ran.plan)
        val orc = assertFiltered(
          sql("SELECT o.id FROM orcs o JOIN small s ON o.id = s.id WHERE s.dept = 7"))
        assert(orc.rowsOut == 10, orc.plan)
        withTempPath { dir =>
          spark.table("big").write.json(dir.getCanonicalPath)
          val json = assertFiltered(sql(s"""SELECT j.k FROM json.`${dir.getCanonicalPath}` j
            JOIN small s ON j.id = s.id WHERE s.dept = 7"""))
          assert(json.rowsIn == 20000 && json.rowsOut == 10, json.plan)
        }
      }
    }
  }

  // The catalog in memory lists partitions lazily in Scala 2.12.
  test("footers of partitions that the catalog lists") {
    withTable("listed") {
      sql(
        "CREATE TABLE listed USING parquet PARTITIONED BY (part) AS " +
          "SELECT id, CAST(id % 5 AS INT) AS part FROM big")
      shuffled {
        withConf(
          SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1",
          "spark.sql.parquet.fieldId.read.enabled" -> "false") {
          val ran = assertFiltered(
            sql("SELECT l.id FROM listed l JOIN small s ON l.id = s.id WHERE s.dept = 7"))
          assert(ran.metric("footersRead") > 4 && ran.rows.length == 10, ran.plan)
        }
      }
    }
  }

  test("semi-, anti- and outer joins") {
    shuffled {
      assertFiltered(sql("SELECT * FROM big WHERE id IN (SELECT id FROM small WHERE dept = 7)"))
      assertFiltered(
        sql(
          "SELECT f.* FROM (SELECT * FROM small WHERE dept = 7) f LEFT JOIN big ON f.id = big.id"))
      assertFiltered(sql(
        "SELECT * FROM (SELECT * FROM small WHERE dept = 7) f LEFT ANTI JOIN big ON f.id = big.k"))
      assertLeft(Reason.PreservedSide)(sql(
        "SELECT * FROM big WHERE NOT EXISTS (SELECT 1 FROM small WHERE dept = 7 AND id = big.id)"))
    }
  }

  test("a cached join, a cached side, and a table that changes between two queries") {
    withTable("grown") {
      sql("CREATE TABLE grown USING parquet AS SELECT * FROM small WHERE dept < 50")
      val query = "SELECT big.id FROM big JOIN grown g ON big.id = g.id WHERE g.dept IN (7, 70)"
      for (threshold <- Seq("-1", "10MB")) {
        withConf(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold) {
          val cached = sql(query).cache()
          try assert(cached.count() == sql(query).collect().length)
          finally {
            cached.unpersist(true)
            ()
          }
          spark.catalog.cacheTable("grown")
          try {
            checked(sql(query))
            checked(sql(query))
          } finally spark.catalog.uncacheTable("grown")
        }
      }
      assert(checked(sql(query)).rows.length == 10)
      sql("INSERT INTO grown SELECT * FROM small WHERE dept >= 50")
      assert(checked(sql(query)).rows.length == 20)
    }
  }

  test("the side that has the keys fails: the error is the one without Sieve") {
    shuffled {
      val failing = "SELECT big.id FROM big JOIN small ON big.id = small.id WHERE " +
        "raise_error(concat('no ', small.s)) IS NULL AND small.dept = 7"
      def message(on: String) = withConf(SieveConf.ENABLED.key -> on) {
        causes(intercept[Exception](sql(failing).collect())).map(_.getMessage)
      }
      assert(message("true").exists(_.contains("no s")))
      assert(message("false").exists(_.contains("no s")))
    }
  }
}
