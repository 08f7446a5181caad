// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.execution.ui.{
  SparkListenerSQLAdaptiveExecutionUpdate,
  SparkListenerSQLExecutionStart
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.SessionListeners

import io.sparksieve.conf.SieveConf

/** Helpers for suites on lake formats: both kinds of joins, and commands with and without Sieve. */
trait LakeTest extends DynamicFilterTest {

  /** The rows of `big` without `d`, in eight partitions; the writer chooses the number of files. */
  protected def bigRows: DataFrame = spark
    .range(0, 20000, 1, 8)
    .selectExpr(
      "id",
      "cast(id / 10 AS INT) AS k",
      "concat('s', id) AS s",
      "cast(id % 50 AS INT) AS grp")

  /**
   * Changes a table that holds [[bigRows]]: updates and deletes rows, and updates, deletes and
   * inserts rows by a MERGE.
   */
  protected def change(table: String): Unit = {
    sql(s"UPDATE $table SET s = 'updated' WHERE id = 710")
    sql(s"DELETE FROM $table WHERE id IN (720, 9000)")
    sql(s"""MERGE INTO $table USING (SELECT id * 2 AS id, s FROM small WHERE dept < 40) n
      ON $table.id = n.id
      WHEN MATCHED AND n.id = 760 THEN DELETE
      WHEN MATCHED AND n.id > 700 AND n.id < 800 THEN UPDATE SET s = 'merged'
      WHEN NOT MATCHED THEN INSERT (id, k, s, grp) VALUES (n.id, NULL, n.s, NULL)""")
    // A row loses its key of `small`, and another row gets it.
    sql(s"UPDATE $table SET id = id + 100000 WHERE id = 730")
    sql(s"UPDATE $table SET id = 730 WHERE id = 15000")
    sql(s"INSERT INTO $table (id, k, s, grp) VALUES (750, NULL, 'new', NULL)")
  }

  /** The rows of a join of the changed table with `small`, for dept 7. */
  protected def Changed: Seq[Row] = Seq(
    Row(700L, "s700", 7),
    Row(710L, "updated", 7),
    Row(720L, "s360", 7),
    Row(730L, "s15000", 7),
    Row(740L, "merged", 7),
    Row(750L, "s750", 7),
    Row(750L, "new", 7),
    Row(770L, "s770", 7),
    Row(780L, "merged", 7),
    Row(790L, "s790", 7)
  )

  protected val joins: Seq[(String, String)] =
    Seq("sort-merge join" -> "-1", "broadcast join" -> "10MB")

  /** Runs `body` with joins that shuffle and with joins that broadcast; always reads footers. */
  protected def eachJoin(body: String => Any): Unit = joins.foreach { case (kind, threshold) =>
    withClue(kind) {
      withConf(
        SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> threshold,
        SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1")(body(kind))
    }
  }

  protected def assertRows(ran: Ran, expected: Seq[Row]): Unit =
    QueryTest.sameRows(expected, ran.rows).foreach(d => fail(s"$d\n${ran.plan}"))

  /**
   * Runs commands with Sieve and without, each time on a new table, and asserts that both tables
   * have the same rows afterwards.
   *
   * @param fresh
   *   creates the table of that name
   * @return
   *   the plans of the run with Sieve, and the rows
   */
  protected def sameTable(fresh: String => Unit, names: (String, String))(
      commands: String => Unit): (Seq[String], Seq[Row]) = {
    val (on, without) = names
    fresh(on)
    fresh(without)
    try {
      val plans = plansOf(commands(on))
      withoutSieve(commands(without))
      def rows(name: String) = withoutSieve(spark.table(name).collect().toSeq)
      val found = rows(on)
      QueryTest.sameRows(rows(without), found).foreach(d => fail(s"$d\n${plans.mkString("\n")}"))
      (plans, found)
    } finally Seq(on, without).foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
  }

  /** The physical plans of the queries that `body` runs, as text, also as replanned by AQE. */
  protected def plansOf(body: => Unit): Seq[String] = {
    val plans = new ConcurrentLinkedQueue[String]
    val listener = new SparkListener {
      override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
        case e: SparkListenerSQLExecutionStart => plans.add(e.physicalPlanDescription); ()
        case e: SparkListenerSQLAdaptiveExecutionUpdate => plans.add(e.physicalPlanDescription); ()
        case _ =>
      }
    }
    SessionListeners.await(spark, 10000)
    spark.sparkContext.addSparkListener(listener)
    try {
      body
      SessionListeners.await(spark, 10000)
    } finally spark.sparkContext.removeSparkListener(listener)
    plans.toArray(Array.empty[String]).toSeq
  }
}
