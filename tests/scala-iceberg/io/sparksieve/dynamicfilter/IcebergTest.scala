// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.Row

import io.sparksieve.IcebergSession

/** Iceberg tables whose scans are built anew, and assertions about these. */
trait IcebergTest extends LakeTest with IcebergSession {

  protected val T = "ice.db.t"

  /** Asserts that the scan is built anew, and reads at most `mostFiles` files; also by a broadcast. */
  protected def assertRebuilt(query: String, rows: Seq[Row], mostFiles: Int): Unit = eachJoin { _ =>
    val ran = assertFiltered(sql(query))
    assertRows(ran, rows)
    assert(ran.scans.size == 1 && ran.metric("numRanges") > 0, ran.plan)
    val (before, skipped) = (ran.metric("filesBefore"), ran.metric("filesSkipped"))
    assert(before > mostFiles && before - skipped <= mostFiles, s"$skipped of $before\n${ran.plan}")
  }

  /** Asserts that the planned scan runs, because no predicate may be added to it. */
  protected def assertPlanned(query: String, rows: Seq[Row]): Unit = eachJoin { _ =>
    val ran = assertFiltered(sql(query))
    assertRows(ran, rows)
    assert(ran.metric("filesBefore") == 0, ran.plan)
  }
}
