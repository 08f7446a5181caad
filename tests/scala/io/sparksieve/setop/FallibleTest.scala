// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop

import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.Reason

/** Tables for queries with an expression that may fail; in ANSI mode. */
abstract class FallibleTest extends SetOpTest {

  protected val small = "cast(s AS TINYINT) > 0"

  override protected def sparkConf = super.sparkConf
    .set(SQLConf.ANSI_ENABLED.key, "true")
    .set(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key, "0")

  override def beforeAll(): Unit = {
    super.beforeAll()
    sql("""CREATE TEMPORARY VIEW nn AS
      SELECT id a, id b, id k, if(id > 5, 'x', '1') s, array(id) v FROM range(20)""")
    sql("CREATE TABLE p USING parquet AS SELECT a, b, k, s FROM nn")
    sql("CREATE TABLE q USING parquet AS SELECT id i, id v FROM range(20)")
    sql("CREATE TABLE l USING parquet AS SELECT id * 20 i FROM range(20)")
    sql("CREATE TABLE down USING parquet AS SELECT 999 - id a, id b FROM range(1000)")
  }

  override def afterAll(): Unit =
    try Seq("p", "q", "l", "down").foreach(t => sql(s"DROP TABLE IF EXISTS $t"))
    finally super.afterAll()

  /** Asserts that the query does not fail without Sieve, and that nothing is rewritten. */
  protected def declines(query: String): Unit = {
    assert(sameOrBothFail(query), query)
    leaves(query)
  }

  /** Asserts that nothing is rewritten; whether the query fails may be a matter of time. */
  protected def leaves(query: String): Unit = {
    val entries = planned(sql(query))._2
    assert(entries.exists(_.reason.contains(Reason.MayFail)), s"$query\n$entries")
    assert(entries.forall(_.reason.nonEmpty), s"$query\n$entries")
  }

  protected def from(source: String)(queries: String*): Unit =
    queries.foreach(q => declines(s"WITH x AS ($source) $q"))
}
