// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.SparkConf
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.report.core.Reason

/** Joins with more keys than an exact set may hold: a Bloom filter, or only ranges. */
class ManyKeysSuite extends DynamicFilterTest {

  // So that a filter may have at most 10 MB in each of the three tasks that collect keys.
  override protected def sparkConf: SparkConf =
    super.sparkConf.set("spark.driver.maxResultSize", "60m")

  private val Many =
    "SELECT big.id, big.s, small.dept FROM big JOIN small ON big.id = small.id " +
      "WHERE small.dept BETWEEN 7 AND 16"

  /** The text of the report on the keys of each filter; on the left why there are none. */
  private def outcomes(ran: Ran): Seq[Either[String, String]] = ran.filters.map(_.source).map {
    case keys: DynamicKeys => keys.subquery.outcome
    case other => fail(s"$other")
  }

  private def beyond[T](caps: (String, String)*)(body: => T): T =
    withConf(
      Seq(
        SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "true",
        SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> "20",
        SieveConf.DYNAMIC_FILTER_BLOOM_MAX_BYTES.key -> "64KB",
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1",
        "spark.sql.parquet.fieldId.read.enabled" -> "false"
      ) ++ caps: _*)(body)

  /** Like [[beyond]], for keys from a shuffle and from a broadcast. */
  private def beyondFromEither(cap: (String, String))(body: => Unit): Unit =
    for (threshold <- Seq("-1", "10MB"))
      beyond(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold, cap)(body)

  for {
    adaptive <- Seq("true", "false")
    codegen <- Seq("true", "false")
    (kind, threshold) <- Seq(FilterProvenance.Shuffle -> "-1", FilterProvenance.Broadcast -> "10MB")
  } test(s"a Bloom filter, keys from a $kind, adaptive $adaptive, codegen $codegen") {
    beyond(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive,
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> codegen,
      SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold
    ) {
      val ran = assertFiltered(sql(Many))
      assert(ran.kinds == Seq(kind) && ran.rows.length == 100, ran.plan)
      assert(ran.keys.forall(n => n > 95 && n < 105), ran.keys)
      assert(outcomes(ran).forall(_.exists(_.contains("keys in a Bloom filter"))), outcomes(ran))
      // Few rows pass besides the 100, and files outside of the ranges are not read.
      assert(ran.rowsOut >= 100 && ran.rowsOut < 130, ran.plan)
      assert(ran.metric("filesSkipped") == 7 && ran.metric("numRanges") > 0, ran.plan)
    }
  }

  test("more keys than the filter may hold: only ranges") {
    beyondFromEither(SieveConf.DYNAMIC_FILTER_BLOOM_MAX_KEYS.key -> "50") {
      val ran = assertFiltered(sql(Many))
      assert(
        outcomes(ran).forall(_.exists(_.matches("about \\d+ keys or more in .*"))),
        outcomes(ran))
      assert(ran.metric("filesSkipped") == 7 && ran.rowsOut < 2500, ran.plan)
    }
  }

  test("filters of all tasks would be more than tasks may return: only ranges") {
    shuffled {
      for ((bytes, form) <- Seq("10MB" -> "in a Bloom filter", "11MB" -> "keys or more in "))
        beyond(SieveConf.DYNAMIC_FILTER_BLOOM_MAX_BYTES.key -> bytes) {
          val ran = withConf(SQLConf.COALESCE_PARTITIONS_ENABLED.key -> "false") {
            assertFiltered(sql(Many))
          }
          assert(outcomes(ran).forall(_.exists(_.contains(form))), outcomes(ran))
        }
    }
  }

  test("parts of both forms: some tasks meet the cap and others do not") {
    shuffled {
      for (cap <- Seq("1", "30", "35", "99", "100"))
        beyond(SieveConf.DYNAMIC_FILTER_MAX_KEYS.key -> cap) {
          val ran = assertFiltered(sql(Many))
          val exact = outcomes(ran).forall(_.exists(_.startsWith("100 keys (")))
          assert(exact == (cap == "100") && ran.rowsOut < 130, outcomes(ran))
        }
    }
  }

  test("off: given up, with the reason as before") {
    beyondFromEither(SieveConf.DYNAMIC_FILTER_BLOOM_ENABLED.key -> "false") {
      val ran = assertFiltered(sql(Many))
      assert(outcomes(ran) == Seq(Left("the keys are more than their configs allow")))
      assert(ran.rowsOut == ran.rowsIn && ran.metric("filesSkipped") == 0, ran.plan)
    }
  }

  test("types without this form give up") {
    shuffled {
      beyond() {
        for (column <- Seq("s", "d")) {
          val small = "(SELECT s, cast(id AS DOUBLE) AS d FROM small WHERE dept BETWEEN 7 AND 16) f"
          val ran = assertFiltered(sql(s"SELECT big.id FROM big JOIN $small USING ($column)"))
          assert(outcomes(ran) == Seq(Left("the keys are more than their configs allow")))
        }
      }
    }
  }

  test("other types of keys, narrower columns, NULLs, duplicates and negative keys") {
    shuffled {
      beyond() {
        for (key <- Seq(
            "cast(id - 5000 AS INT)",
            "cast(id / 10 AS SMALLINT)",
            "cast(id AS DECIMAL(12, 2))",
            "date_add(DATE '1890-01-01', cast(id AS INT))",
            "timestamp_seconds(id * 86400 - 900000000)",
            "if(id % 20 = 0, NULL, id)"
          )) withTempView("b", "f") {
          sql(s"SELECT $key AS key, grp FROM big").createOrReplaceTempView("b")
          sql(s"SELECT $key AS key, dept FROM small").createOrReplaceTempView("f")
          checked(sql("SELECT b.grp FROM b JOIN f ON b.key = f.key WHERE f.dept BETWEEN 7 AND 16"))
        }
        val wide = "(SELECT cast(id AS BIGINT) * 3000000000 AS w, dept FROM small UNION ALL " +
          "SELECT id, dept FROM small) f"
        val ran = assertFiltered(
          sql(s"SELECT k FROM big JOIN $wide ON big.k = f.w WHERE f.dept BETWEEN 7 AND 90"))
        assert(outcomes(ran).forall(_.exists(_.contains("in a Bloom filter"))), outcomes(ran))
      }
    }
  }

  test("semi-joins and the side of an outer join that may lose rows; partitions and ORC") {
    withTable("parts", "orcs") {
      sql(
        "CREATE TABLE parts USING parquet PARTITIONED BY (part) AS " +
          "SELECT id, grp * 1000003 AS part FROM big")
      sql("CREATE TABLE orcs USING orc AS SELECT * FROM big")
      shuffled {
        beyond() {
          val some = "SELECT id FROM small WHERE dept BETWEEN 7 AND 16"
          assertFiltered(sql(s"SELECT * FROM big WHERE id IN ($some)"))
          assertFiltered(sql(s"SELECT f.id, big.k FROM ($some) f LEFT JOIN big ON f.id = big.id"))
          assertFiltered(sql(s"SELECT * FROM ($some) f LEFT ANTI JOIN big ON f.id = big.k"))
          assertFiltered(sql(s"SELECT o.id FROM orcs o JOIN ($some) f ON o.id = f.id"))
          val parts = assertFiltered(
            sql("SELECT p.id FROM parts p JOIN small s ON p.part = s.dept * 1000003 " +
              "WHERE s.s RLIKE '[258]..$'"))
          assert(outcomes(parts).forall(_.exists(_.contains("in a Bloom filter"))), parts.plan)
        }
      }
    }
  }

  test("anti-joins and NOT IN keep their rows: no filter at all") {
    shuffled {
      beyond() {
        assertLeft(Reason.PreservedSide)(
          sql("SELECT * FROM big WHERE NOT EXISTS " +
            "(SELECT 1 FROM small WHERE dept BETWEEN 7 AND 16 AND id = big.id)"))
        assertLeft(Reason.PreservedSide)(sql(
          "SELECT f.id, k FROM big LEFT JOIN (SELECT * FROM small WHERE dept > 7) f ON f.id = big.id"))
        checked(
          sql(
            "SELECT * FROM big WHERE id NOT IN (SELECT id FROM small WHERE dept BETWEEN 7 AND 16)"))
      }
    }
  }

  test("one job for the keys of a shuffle, as for an exact set") {
    shuffled {
      val exact = jobs { sql(Many).collect(); () }
      beyond() {
        assert(jobs { sql(Many).collect(); () } == exact)
      }
    }
  }
}
