// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import io.sparksieve.TestedLine
import io.sparksieve.report.core.Reason

/** Set operations whose sides refer to columns of an outer query. */
class OuterQuerySuite extends SetOpTest {

  private val mayRefer = TestedLine.atLeast("4.0")
  private val refused = "3.5 refuses outer columns below set operations"

  private val operations =
    Seq("EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL", "UNION", "UNION ALL")

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql(
      "CREATE TABLE q USING parquet AS SELECT id AS k, id % 3 AS v, id % 4 AS w FROM range(0, 20, 1, 1)")
    sql(
      "CREATE TABLE o USING parquet AS SELECT * FROM VALUES (1L, 2L), (3L, 3L), (5L, 9L), (0L, 1L) AS o(x, y)")
  }

  override def afterAll(): Unit =
    try {
      sql("DROP TABLE IF EXISTS q")
      sql("DROP TABLE IF EXISTS o")
    } finally super.afterAll()

  /** The set operation in each place in which it may refer to `o`. */
  private def forms(left: String, operation: String, right: String): Seq[String] = Seq(
    s"SELECT * FROM o, LATERAL ($left $operation $right)",
    s"SELECT * FROM o WHERE EXISTS ($left $operation $right)",
    s"SELECT * FROM o WHERE NOT EXISTS ($left $operation $right)",
    s"SELECT x, (SELECT max(v) FROM ($left $operation $right)) AS m FROM o",
    s"SELECT * FROM o WHERE x IN ($left $operation $right)"
  )

  for (operation <- operations) {
    test(s"$operation: other columns of the outer query") {
      assume(mayRefer, refused)
      forms("SELECT v FROM q WHERE k = o.x", operation, "SELECT v FROM q WHERE k = o.y")
        .foreach(query => withClue(query)(checkAnswer(sql(query), off(sql(query)))))
    }

    test(s"$operation: the same column of the outer query, other filters") {
      assume(mayRefer, refused)
      forms(
        "SELECT v FROM (SELECT * FROM q WHERE w = o.x) WHERE v < 2",
        operation,
        "SELECT v FROM (SELECT * FROM q WHERE w = o.x) WHERE v > 0")
        .foreach(query => withClue(query)(checkAnswer(sql(query), off(sql(query)))))
    }
  }

  test("the same column of the outer query is one source, another is not") {
    assume(mayRefer, refused)
    def verdict(outer: String) = verdicts("ReplaceExceptWithNotFilter")(
      sql("SELECT * FROM o, LATERAL (SELECT v FROM (SELECT * FROM q WHERE w = o.x) EXCEPT " +
        s"SELECT v FROM (SELECT * FROM q WHERE w = o.$outer) WHERE v > 0)"))
    assert(verdict("x") == Seq(None))
    assert(verdict("y") == Seq(Some(Reason.CorrelatedBranch)))
  }
}
