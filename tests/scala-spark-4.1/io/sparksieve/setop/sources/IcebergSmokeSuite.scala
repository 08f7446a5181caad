// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.sources

import org.apache.spark.sql.Row

import io.sparksieve.IcebergSession
import io.sparksieve.report.core.Reason

/** Iceberg tables, with Iceberg's own extension. */
class IcebergSmokeSuite extends SourcesTest with IcebergSession {

  private val Except = "ReplaceExceptWithNotFilter"

  override def beforeAll(): Unit = {
    super.beforeAll()
    flights.createOrReplaceTempView("rows")
  }

  /** A table of four versions: created, deleted from and updated with delete files, appended to. */
  private def withIceberg(body: Seq[Long] => Unit): Unit = withTable("ice.db.t") {
    sql("""CREATE TABLE ice.db.t USING iceberg TBLPROPERTIES (
      'format-version' = '2', 'write.delete.mode' = 'merge-on-read',
      'write.update.mode' = 'merge-on-read') AS SELECT * FROM rows""")
    sql("DELETE FROM ice.db.t WHERE day = 2 AND month > 2")
    sql("UPDATE ice.db.t SET delay = 9 WHERE month = 4")
    sql("INSERT INTO ice.db.t VALUES (3, 9, 9), (4, 9, 9)")
    val snapshots = sql("SELECT snapshot_id FROM ice.db.t.snapshots ORDER BY committed_at")
    body(snapshots.collect().map(_.getLong(0)).toSeq)
  }

  test("every rewrite on a table with delete files") {
    withIceberg { _ =>
      assert(sql("SELECT * FROM ice.db.t.delete_files").count() > 0)
      val once = spark.table("ice.db.t")
      assertEveryRewrite(once, once)
      assertOneScan("ReplaceSetOpWithCounts") {
        sql(
          "SELECT month FROM ice.db.t WHERE day > 1 EXCEPT SELECT month FROM ice.db.t WHERE delay = 9")
      }
    }
  }

  test("time travel: one version is one source, two are not") {
    withIceberg { versions =>
      def travel(left: String, right: String) =
        sql(
          s"SELECT * FROM ice.db.t $left EXCEPT ALL SELECT * FROM ice.db.t $right WHERE month = 4")
      def at(i: Int) = s"VERSION AS OF ${versions(i)}"
      assertOneScan(Except)(travel(at(1), at(1)))
      for ((left, right) <- Seq(at(0) -> at(2), "" -> at(1), at(2) -> "")) {
        assertDeclined(Except, Reason.DifferentSnapshot)(travel(left, right))
      }
      assert(travel(at(0), at(2)).where("month = 4").count() == 10)
    }
  }

  test("two loads of one version by the reader are one source") {
    withIceberg { versions =>
      def read(i: Int) = spark.read.option("versionAsOf", versions(i)).table("ice.db.t")
      assertOneScan(Except)(read(1).exceptAll(read(1).where("month = 3")))
      val (plan, entries) = planned(read(1).exceptAll(read(2).where("month = 3")))
      assert(!entries.exists(_.reason.isEmpty), s"$entries\n$plan")
    }
  }

  test("a column renamed and added anew under the old name is another column") {
    withIceberg { versions =>
      sql("ALTER TABLE ice.db.t RENAME COLUMN delay TO late")
      sql("ALTER TABLE ice.db.t ADD COLUMN delay INT")
      def query = sql(s"""SELECT month, delay FROM ice.db.t EXCEPT ALL
          SELECT month, delay FROM ice.db.t VERSION AS OF ${versions.last} WHERE month = 4""")
      assertDeclined(Except, Reason.DifferentSnapshot)(query)
      assert(query.where("delay IS NOT NULL").isEmpty)
    }
  }

  // Iceberg tables do not expose their version without time travel.
  test("two loads without time travel cannot be proved to be one version") {
    withIceberg { _ =>
      val before = spark.table("ice.db.t")
      sql("INSERT INTO ice.db.t VALUES (1, 77, 7), (2, 77, 7)")
      def query = spark.table("ice.db.t").exceptAll(before.where("month = 1"))
      assertDeclined(Except, Reason.DifferentSnapshot)(query)
    }
  }

  test("INSERT and DELETE whose source is an operation") {
    withIceberg { _ =>
      sql(
        "INSERT INTO ice.db.t SELECT * FROM ice.db.t WHERE month = 5 EXCEPT SELECT * FROM ice.db.t WHERE day > 3")
      checkAnswer(sql("SELECT count(*) FROM ice.db.t WHERE month = 5 AND day > 3"), Row(4))
      sql("""DELETE FROM ice.db.t WHERE month IN
        (SELECT month FROM ice.db.t INTERSECT SELECT month FROM ice.db.t WHERE month < 2)""")
      assert(spark.table("ice.db.t").where("month = 1").isEmpty)
    }
  }
}
