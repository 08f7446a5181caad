// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.ui

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.sql.{DataFrame, ExtendedExplainGenerator}
import org.apache.spark.sql.execution.{FormattedMode, SimpleMode, SparkPlan}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveTest
import io.sparksieve.conf.SieveConf

/** What Sieve adds to `EXPLAIN`, where a user has a provider too. */
class ExplainSmokeSuite extends SieveTest {

  override protected def sparkConf: SparkConf = super.sparkConf
    .set(SieveConf.EXPLAIN_ENABLED.key, "true")
    .set("spark.sql.extendedExplainProviders", classOf[OtherProvider].getName)
    .set(SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key, "0")

  override protected def beforeAll(): Unit = {
    super.beforeAll()
    spark.sql("SELECT a, b FROM VALUES (1, 2), (3, 4) t(a, b)").write.saveAsTable("explained")
    spark.range(500).selectExpr("id AS k", "id % 3 AS v").write.saveAsTable("facts")
    spark.range(50).selectExpr("id AS k", "id % 10 AS w").write.saveAsTable("dims")
  }

  private def explained(query: DataFrame, formatted: Boolean = false): String =
    query.queryExecution.explainString(if (formatted) FormattedMode else SimpleMode)

  /** The lines of the section of Sieve. */
  private def section(explained: String): String = {
    val parts = explained.split("\n== Extended Information \\(Sieve\\) ==\n")
    assert(parts.length == 2, explained)
    parts(1)
  }

  private val except =
    "SELECT a, b FROM explained WHERE a > 1 EXCEPT SELECT a, b FROM explained WHERE b > 5"

  /** `ReplaceExceptWithNotFilter` declines it, and a later rule rewrites it. */
  private val counted =
    "SELECT a FROM explained WHERE a > 1 EXCEPT SELECT a FROM explained WHERE b > 5"

  for (adaptive <- Seq(true, false)) {
    val mode = s"adaptive execution $adaptive"

    test(s"a set operation that was rewritten, $mode") {
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString) {
        Seq(false, true).foreach { formatted =>
          val lines = section(explained(spark.sql(except), formatted))
          assert(
            lines.startsWith("setop: applied ReplaceExceptWithNotFilter: EXCEPT (a, b)"),
            lines)
          assert(!lines.contains("declined"), lines)
        }
      }
    }

    test(s"a set operation that one rule declined and another rewrote, $mode") {
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString) {
        val lines = section(explained(spark.sql(counted)))
        assert(lines.startsWith("setop: applied ReplaceSetOpWithCounts: EXCEPT (a)"), lines)
        assert(!lines.contains("setop: declined"), lines)
      }
    }

    test(s"reasons of rules in the optimizer and of physical rules, $mode") {
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString) {
        val lines = section(
          explained(spark.sql(
            "SELECT * FROM facts JOIN dims USING (k) WHERE v > 1 - k AND v < k AND v <> 1")))
        assert(lines.contains("dynamicfilter: "), lines)
        val cheap =
          section(explained(spark.sql("SELECT * FROM facts WHERE v % 3 = 1 AND 3 / v > 1")))
        assert(cheap.contains("adaptivefilter: declined PlanAdaptiveFilter ("), cheap)
      }
    }

    test(s"what operators measured, after the run, $mode") {
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive.toString) {
        val query = spark.sql("SELECT facts.v FROM facts JOIN dims USING (k) WHERE w = 3")
        val before = section(explained(query))
        assert(before.startsWith("dynamicfilter: applied InjectDynamicFilter"), before)
        assert(!before.contains("measured"), before)
        assert(query.collect().length == 5)
        val lines = section(explained(query))
        assert(lines.contains("dynamicfilter: measured by DynamicFilter"), lines)
        assert(lines.contains(" rows kept"), lines)
      }
    }
  }

  test("operators say what they filter by, and the plan of the keys is shown once") {
    val query = spark.sql(
      "SELECT facts.v FROM facts JOIN dims USING (k) WHERE w = 3 AND v RLIKE '[12]' AND v % 2 = 1")
    query.collect()
    val simple = explained(query).split("== Initial Plan ==\n   Project")(0)
    assert("KeysSubquery".r.findAllIn(simple).length == 1, simple)
    assert(
      simple.contains("DynamicScan by keys of k#") && !simple.contains("[dynamicpruning"),
      simple)
    val formatted = explained(query, formatted = true)
    assert(formatted.contains("Order: ") && formatted.contains("Policy: greedy"), formatted)
    assert(formatted.contains("  1. "), formatted)
  }

  test("verdicts on one query do not appear at another") {
    explained(spark.sql(except))
    // Normalized for a cache lookup only.
    spark.sql(except).cache().unpersist()
    assert(section(explained(spark.sql("SELECT a FROM explained"))) == nothing)
    assert(section(explained(spark.sql("SELECT 1"))) == nothing)
  }

  private val nothing = "No rule of Sieve applies to this plan.\n"

  test("a provider that was set before stays") {
    val text = explained(spark.sql("SELECT 1"))
    assert(text.contains("== Extended Information (Other) ==\nother"), text)
    val providers = SparkContext.getOrCreate().getConf.get("spark.sql.extendedExplainProviders")
    assert(providers.split(",").distinct.length == 2, providers)
    // A second session of the application adds nothing.
    ShowInSpark()
    assert(
      SparkContext.getOrCreate().getConf.get("spark.sql.extendedExplainProviders") == providers)
  }

  test("the switch cannot be changed while the application runs") {
    intercept[Exception](spark.conf.set(SieveConf.EXPLAIN_ENABLED.key, "false"))
  }
}

class OtherProvider extends ExtendedExplainGenerator {
  override def title: String = "Other"
  override def generateExtendedInfo(plan: SparkPlan): String = "other"
}
