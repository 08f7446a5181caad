// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.pushdown.RowsOfRun

/**
 * A creation side that is itself filtered by the keys of another join: its keys are those that are
 * left, and it runs once.
 */
class NestedKeysSuite extends DynamicFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("CREATE TABLE mid USING parquet AS SELECT id, INT(dept % 40) AS tag FROM small")
    sql(
      "CREATE TABLE tags USING parquet AS SELECT INT(id) AS tag, concat('t', id) AS name FROM range(40)")
    sql("CREATE TABLE groups USING parquet AS SELECT INT(id) AS grp, id % 5 AS part FROM range(40)")
  }

  override def afterAll(): Unit =
    try Seq("mid", "tags", "groups").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  // Of 1,000 rows of mid, 20 have the tag.
  private val two =
    "SELECT b.id FROM big b JOIN mid m ON b.id = m.id JOIN tags t ON m.tag = t.tag WHERE t.name = 't33'"

  private val three = """SELECT b.id FROM big b JOIN mid m ON b.id = m.id
    JOIN tags t ON m.tag = t.tag JOIN groups g ON t.tag = g.grp WHERE g.part = 3 AND g.grp > 30"""

  private def keysOf(ran: Ran, column: String): Set[Long] =
    ran.filters
      .filter(_.key.sql.endsWith(column))
      .flatMap(_.source match {
        case keys: DynamicKeys => Some(keys.subquery.metrics("numKeys").value)
        case _ => None
      })
      .toSet

  private def jobsOf(query: String) = jobs {
    sql(query).collect()
    ()
  }

  test("broadcasts: the keys are those of the join, and the side runs once") {
    for ((query, left) <- Seq(two -> 20L, three -> 40L)) {
      val ran = assertFiltered(sql(query))
      assert(keysOf(ran, "id") == Set(left), ran.plan)
      assert(jobsOf(query) == withoutSieve(jobsOf(query)), ran.plan)
      // The copy that nobody has run is no scan.
      val scans = RowsOfRun.of(ran.plan).filter(_.source.endsWith("mid"))
      assert(scans.map(_.rows.kept) == Seq(left), scans)
    }
  }

  test("joins of the same columns whose sides are filtered by other joins") {
    // The branches of a union may have the same columns, down to their ids.
    val common = sql("SELECT b.id, m.tag FROM big b JOIN mid m ON b.id = m.id")
    def branch(name: String) =
      common.join(spark.table("tags").where(s"name = '$name'"), "tag").select("id")
    val ran = assertFiltered(Seq("t33", "t34", "t5").map(branch).reduce(_ union _))
    assert(ran.rows.length == 20 + 20 + 30, ran.plan)
  }

  for (adaptive <- Seq("true", "false"))
    test(s"shuffles, AQE $adaptive") {
      withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        for ((query, left) <- Seq(two -> 20L, three -> 40L)) {
          val ran = shuffled(assertFiltered(sql(query)))
          assert(keysOf(ran, "id") == Set(left), ran.plan)
        }
      }
    }
}
