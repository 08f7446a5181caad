// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.TestedLine
import io.sparksieve.report.core.Reason

/**
 * Expressions and operators that depend on the order and the partitions of their input rows
 * (rand(), row ids, samples) return other rows if the plan below them changes. A rewrite below them
 * is declined.
 */
class RandomAboveSuite extends SetOpTest {

  private val member = "a IN (SELECT a FROM t WHERE a > 2)"
  private val union = "(SELECT a, b FROM t WHERE a < 3 UNION ALL SELECT a, b FROM t WHERE a >= 3)"

  for {
    (name, query) <- Seq(
      "a row id in the same filter" -> s"SELECT * FROM t WHERE $member AND monotonically_increasing_id() < 8",
      "a row id before it" -> s"SELECT * FROM t WHERE monotonically_increasing_id() < 8 AND $member",
      "rand() in the same OR" -> "SELECT * FROM t WHERE (EXISTS (SELECT 1 FROM t r WHERE r.a = t.a AND r.a > 2) OR b = 1) AND rand(7) < 0.5",
      "NOT EXISTS and rand()" -> "SELECT * FROM t WHERE NOT EXISTS (SELECT 1 FROM t r WHERE r.a = t.a AND r.a > 2) AND rand(7) < 0.5",
      "rand() above a union" -> s"SELECT * FROM $union WHERE rand(7) < 0.5",
      "a row id above a union" -> s"SELECT a, monotonically_increasing_id() AS i FROM $union",
      "a partition's number above a union" -> s"SELECT a, spark_partition_id() AS i FROM $union",
      "a sample of a union" -> s"SELECT * FROM $union TABLESAMPLE (50 PERCENT) REPEATABLE (3)",
      "rand() above EXCEPT ALL" -> "SELECT * FROM (SELECT a, b FROM t EXCEPT ALL SELECT a, b FROM t WHERE a > 4) WHERE rand(7) < 0.5"
    )
  } test(name) {
    val (plan, entries) = planned(sql(query))
    assert(entries.exists(_.reason.contains(Reason.NonDeterministic)), plan)
    assert(!entries.exists(_.reason.isEmpty), plan)
    checkAnswer(sql(query), off(sql(query)))
  }

  private def split(filter: String) =
    s"SELECT a, _metadata.file_block_length AS n FROM t WHERE $filter"

  test("the splits of files") {
    def isDeclined(query: String) = {
      checkAnswer(sql(query), off(sql(query)))
      verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(Some(Reason.NonDeterministic))
    }
    assert(isDeclined(s"${split("a < 3")} UNION ALL ${split("a >= 3")}"))
    assert(!isDeclined(
      "SELECT a, _metadata.file_name FROM t WHERE a < 3 UNION ALL SELECT a, _metadata.file_name FROM t WHERE a >= 3"))
  }

  test("uuid() is random unless it has a seed") {
    def reasons(column: String) =
      verdicts("ReplaceUnionWithFilter")(sql(s"SELECT a, $column FROM $union"))
    assert(!reasons("uuid()").contains(Some(Reason.NonDeterministic)))
    assume(TestedLine.atLeast("4.0"), "Spark 3.5 has no uuid() with a seed.")
    assert(reasons("uuid(5)") == Seq(Some(Reason.NonDeterministic)))
  }

  private val small = "SELECT b FROM t WHERE a < 3 UNION SELECT b FROM t WHERE a = 5"
  private val adaptive = SQLConf.ADAPTIVE_EXECUTION_ENABLED.key

  for ((name, query) <- Seq(
      "a subquery" -> s"SELECT a, rand(7) AS r FROM t WHERE b IN (SELECT b FROM ($small))",
      "a side of a join" -> s"SELECT u.b, g.r FROM ($small) u JOIN (SELECT b, rand(7) AS r FROM t GROUP BY b) g ON u.b = g.b",
      "a definition" -> s"WITH g AS (SELECT b, count(*) AS n FROM t GROUP BY b) SELECT u.b, n.r FROM ($small) u JOIN (SELECT b, rand(7) AS r FROM g) n ON u.b = n.b"
    ))
    test(s"$name beside what is drawn from a shuffle, whose partitions depend on it") {
      assert(verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(Some(Reason.NonDeterministic)))
      withConf(adaptive -> "false") {
        assert(verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(None))
        checkAnswer(sql(query), off(sql(query)))
      }
    }

  test("what is drawn from a scan has the partitions of the scan") {
    val query =
      s"SELECT u.b, n.r FROM ($small) u JOIN (SELECT b, rand(7) AS r FROM t) n ON u.b = n.b"
    assert(verdicts("ReplaceUnionWithFilter")(sql(query)) == Seq(None))
    checkAnswer(sql(query), off(sql(query)))
  }
}
