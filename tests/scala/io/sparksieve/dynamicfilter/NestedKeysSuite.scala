// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.execution.SubqueryExec
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.dynamicfilter.exec.DynamicKeys
import io.sparksieve.pushdown.RowsOfRun
import io.sparksieve.report.core.Reason

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
    sql("CREATE TABLE parts USING parquet PARTITIONED BY (tag) AS SELECT id, tag FROM mid")
    sql(
      "CREATE TABLE wide USING parquet AS SELECT INT(id % 40) AS tag, sha2(STRING(id), 512) AS h, " +
        "concat('t', id) AS name FROM range(3000)")
    sql("CREATE TABLE groups USING parquet AS SELECT INT(id) AS grp, id % 5 AS part FROM range(40)")
  }

  override def afterAll(): Unit =
    try Seq("mid", "parts", "wide", "tags", "groups").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
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

  test("joins of the same columns whose sides are filtered by other joins") {
    // The branches of a union may have the same columns, down to their ids.
    val common = sql("SELECT b.id, m.tag FROM big b JOIN mid m ON b.id = m.id")
    def branch(name: String) =
      common.join(spark.table("tags").where(s"name = '$name'"), "tag").select("id")
    val ran = assertFiltered(Seq("t33", "t34", "t5").map(branch).reduce(_ union _))
    assert(ran.rows.length == 20 + 20 + 30, ran.plan)
  }

  for (adaptive <- Seq("true", "false")) {

    /** The keys are those that the inner filters leave, and no side runs twice. */
    def check(what: String, extraJobs: Int, confs: (String, String)*)(
        query: String,
        left: Long): Unit =
      test(s"$what, AQE $adaptive") {
        withConf(confs :+ (SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive): _*) {
          val ran = assertFiltered(sql(query))
          assert(keysOf(ran, "id") == Set(left), ran.plan)
          assert(jobsOf(query) == withoutSieve(jobsOf(query)) + extraJobs, ran.plan)
          // The copy that nobody has run is no scan.
          val scans =
            RowsOfRun.of(ran.plan).filter(s => Seq("mid", "parts").exists(s.source.endsWith))
          assert(scans.map(_.rows.kept) == Seq(left), scans)
        }
      }

    check("a broadcast in a broadcast", 0)(two, 20L)
    check("two broadcasts in a broadcast", 0)(three, 40L)

    val never = SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1"
    check("a shuffle in a shuffle", 2, never)(two, 20L)
    check("two shuffles in a shuffle", 3, never)(three, 40L)

    test(s"keys of shuffles hold none of Spark's threads for subqueries, AQE $adaptive") {
      withConf(never, SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
        val collected = assertFiltered(sql(three)).filters.map(_.source).collect {
          case keys: DynamicKeys => keys.subquery.child
        }
        assert(collected.nonEmpty && !collected.exists(_.isInstanceOf[SubqueryExec]), collected)
      }
    }

    def hinted(query: String, names: String) =
      query.replaceFirst("SELECT", s"SELECT /*+ BROADCAST($names) */")
    check("a broadcast in a shuffle", 1, never)(hinted(two, "t"), 20L)
    check("two broadcasts in a shuffle", 1, never)(hinted(three, "t, g"), 40L)
    check("a shuffle in a broadcast", 1, never)(hinted(two, "m"), 20L)
    check("a broadcast in a shuffle in a shuffle", 2, never)(hinted(three, "g"), 40L)

    // Spark itself prunes the partitions of the side.
    val pruned = two.replace("mid", "parts")
    val merged = pruned.replaceFirst("SELECT", "SELECT /*+ MERGE(m), BROADCAST(t) */")
    def more(query: String) = sql(s"$query AND m.id + m.tag > 100")
    if (adaptive == "true") {
      check("pruned partitions in a broadcast", 0)(pruned, 20L)
      check("pruned partitions in a shuffle", 1)(merged, 20L)
      check("pruned partitions, by a hint alone", 1, never)(hinted(pruned, "t"), 20L)
    } else
      test("pruned partitions without AQE") {
        withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive) {
          Seq(pruned, merged).foreach(query => assertLeft(Reason.ReuseOff)(more(query)))
        }
      }

    /** At most the extra jobs that collect keys: no side and no broadcast twice. */
    def atMost(extraJobs: Int)(query: String, confs: (String, String)*): Unit =
      withConf(confs :+ (SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> adaptive): _*) {
        val ran = checked(sql(query))
        assert(jobsOf(query) <= withoutSieve(jobsOf(query)) + extraJobs, s"$query\n${ran.plan}")
      }

    test(s"pruning that Spark drops is not in the copy, AQE $adaptive") {
      val all = s"$pruned AND m.id + m.tag > 100"
      def hinted(hints: String) = all.replaceFirst("SELECT", s"SELECT /*+ $hints */")
      for (hint <- Seq("MERGE(t)", "SHUFFLE_HASH(t)", "SHUFFLE_REPLICATE_NL(t)"))
        atMost(1)(hinted(hint))
      atMost(2)(hinted("MERGE(m), MERGE(t)"))
      atMost(2)(all, never)
      // Spark broadcasts the smaller table, which is the pruned one.
      atMost(0)("""SELECT b.id FROM parts m JOIN wide t ON m.tag = t.tag JOIN big b ON b.id = m.id
        WHERE t.name = 't33'""")
      // The right side of a right outer join cannot be broadcast.
      atMost(1)("""SELECT m.id, b.id FROM big b JOIN parts m ON b.id = m.id
        RIGHT JOIN (SELECT * FROM tags WHERE name LIKE '%7') t ON m.tag = t.tag""")
    }

    test(s"a table that Spark prunes partitions by is left as it is, AQE $adaptive") {
      val query = """SELECT b.id FROM big b JOIN parts m ON b.id = m.id JOIN tags t ON m.tag = t.tag
        JOIN groups g ON t.tag = g.grp WHERE g.part = 3 AND g.grp > 30"""
      atMost(0)(query)
      atMost(0)("""SELECT b.id FROM big b JOIN parts m ON b.id = m.id
        JOIN (SELECT t.tag FROM tags t JOIN groups g ON t.tag = g.grp WHERE g.part = 3) x
        ON m.tag = x.tag""")
      assert(rowsRead(query, "parts") == withoutSieve(rowsRead(query, "parts")))
    }
  }

  private def rowsRead(query: String, table: String): Long =
    RowsOfRun.of(run(sql(query)).plan).filter(_.source.endsWith(table)).map(_.rows.read).sum
}
