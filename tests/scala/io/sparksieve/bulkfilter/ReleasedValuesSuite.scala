// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.lang.ref.WeakReference

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.sieve.SessionListeners

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{CachedValues, KeySetCache}
import io.sparksieve.report.sql.SieveAdvise

/** Values leave memory with the cache, though the session remembers its queries for advice. */
class ReleasedValuesSuite extends BulkFilterTest {

  /** Runs a query, and returns the values that it has read. */
  private def read(session: SparkSession, query: String): Seq[WeakReference[CachedValues]] = {
    val df = session.sql(query)
    df.collect()
    val values = df.queryExecution.optimizedPlan.expressions.flatMap(InFile.in) ++
      df.queryExecution.optimizedPlan.children.flatMap(_.expressions).flatMap(InFile.in)
    values.flatMap(_.members.leaves).flatMap(_.entry).map(new WeakReference(_))
  }

  private def areFree(values: Seq[WeakReference[CachedValues]]): Boolean =
    (1 to 50).exists { _ =>
      System.gc()
      Thread.sleep(100)
      values.forall(_.get == null)
    }

  test("values that the cache has let go are not kept by what the session remembers") {
    val (one, other) = (file("kept1.csv", "1", "2"), file("kept2.csv", "2", "3"))
    Seq(
      s"in_file(id, '$one')" -> 1,
      s"in_file(id, '$one') AND in_file(id, '$other')" -> 2,
      s"in_file(id, '$one') OR in_file(id, '$other')" -> 2,
      s"in_file(id, '$one') AND NOT in_file(id, '$other')" -> 2
    ).foreach { case (predicate, files) =>
      val session = spark.newSession()
      val values = read(session, s"SELECT * FROM cars WHERE $predicate")
      assert(values.size == files, predicate)
      SessionListeners.await(session, 10000)
      KeySetCache(session).clear()
      assert(areFree(values), predicate)
      val advice = SieveAdvise.ofSession(session)
      assert(advice.contains("in_file") && advice.contains("kept1.csv"), advice)
    }
  }
}
