// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.execution.joins._
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.learn.FilterStates

/** Join conditions beyond the equalities of keys. */
class ResidualJoinSuite extends AdaptiveFilterTest {

  private val residual =
    "concat(a.s, b.s) RLIKE '7.*3' AND length(a.s) + b.cpu > 20 AND a.hour < b.hour"

  private def query(join: String, on: String, hint: String) =
    s"SELECT /*+ $hint(b) */ a.id, b.id FROM logs a $join logs b ON $on$residual"

  private def joins(ran: Ran) = collect(ran.plan) { case j: BaseJoinExec => j }

  for {
    aqe <- Seq("true", "false")
    (hint, on, kind) <- Seq(
      ("BROADCAST", "a.id = b.id + 100 AND ", classOf[BroadcastHashJoinExec]),
      ("SHUFFLE_HASH", "a.id = b.id + 100 AND ", classOf[ShuffledHashJoinExec]),
      ("MERGE", "a.id = b.id + 100 AND ", classOf[SortMergeJoinExec]),
      ("BROADCAST", "a.id < 300 AND b.id < 100 AND ", classOf[BroadcastNestedLoopJoinExec])
    )
  } test(s"inner joins: ${kind.getSimpleName}, adaptive execution $aqe") {
    withConf(SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> aqe) {
      FilterStates.clear()
      val ran = assertAdaptive(sql(query("JOIN", on, hint)))
      val found = joins(ran)
      assert(found.size == 1 && found.forall(kind.isInstance), ran.plan)
      assert(found.forall(_.condition.isEmpty), ran.plan)
      assert(ran.filters.exists(_.child eq found.head), ran.plan)
    }
  }

  test("an OR of a join's condition") {
    FilterStates.clear()
    val ran = assertAdaptive(
      sql("SELECT a.id FROM logs a JOIN logs b ON a.id = b.id + 100 " +
        "AND (concat(a.s, b.s) RLIKE '7.*3' OR a.hour < b.hour)"))
    assert(joins(ran).forall(_.condition.isEmpty), ran.plan)
  }

  test("left alone: other joins, and cheap conditions") {
    for (join <- Seq("LEFT JOIN", "FULL JOIN")) {
      val ran = checked(sql(query(join, "a.id = b.id + 100 AND ", "MERGE")))
      assert(ran.filters.isEmpty && joins(ran).exists(_.condition.nonEmpty), ran.plan)
    }
    for (join <- Seq("LEFT SEMI JOIN", "LEFT ANTI JOIN")) {
      val ran =
        checked(sql(s"SELECT a.id FROM logs a $join logs b ON a.id = b.id + 100 AND $residual"))
      assert(joins(ran).exists(_.condition.nonEmpty), ran.plan)
    }
    for (condition <- Seq("a.cpu > b.cpu", "a.cpu + b.cpu > 20")) {
      val cheap = checked(
        sql("SELECT a.id FROM logs a JOIN logs b ON a.id = b.id + 100 " +
          s"AND $condition AND a.hour < b.hour"))
      assert(cheap.filters.isEmpty && joins(cheap).exists(_.condition.nonEmpty), cheap.plan)
    }
  }

  test("a condition that may fail is evaluated for the same pairs") {
    withConf(SQLConf.ANSI_ENABLED.key -> "true") {
      val ran = assertAdaptive(
        sql("SELECT a.id FROM logs a JOIN logs b ON a.id = b.id + 100 " +
          "AND a.d <> b.hour AND 10 / (a.d - b.hour) < 1 AND upper(a.s) < lower(b.s)"))
      assert(joins(ran).forall(_.condition.isEmpty), ran.plan)
    }
  }
}
