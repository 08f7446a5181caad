// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter

import java.lang.ref.WeakReference
import java.util.concurrent.Callable

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.sieve.OnThread
import org.apache.spark.sql.sieve.SessionListeners

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{CachedValues, Caps, KeySetCache, LoadEntries, PinKeyFiles}
import io.sparksieve.bulkfilter.source.KnownColumns
import io.sparksieve.common.DaemonThreads
import io.sparksieve.report.core.PlanningLog
import io.sparksieve.report.sql.SieveAdvise

/**
 * Values leave memory with the cache, at the latest when the next query is planned, and nothing goes
 * on for a query that has ended. Verdicts on queries are kept, as where Spark's UI shows them.
 */
class ReleasedValuesSuite extends BulkFilterTest {

  override def beforeAll(): Unit = {
    super.beforeAll()
    PlanningLog.start()
  }

  /** The values that a query has read. */
  private def values(session: SparkSession, query: String): Seq[CachedValues] = {
    val df = session.sql(query)
    df.collect()
    val optimized = df.queryExecution.optimizedPlan
    val leaves = optimized.expressions ++ optimized.children.flatMap(_.expressions)
    leaves.flatMap(InFile.in).flatMap(_.members.leaves).flatMap(_.entry)
  }

  private def read(session: SparkSession, query: String): Seq[WeakReference[CachedValues]] =
    values(session, query).map(new WeakReference(_))

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
      assert(freed(values: _*), predicate)
      val advice = SieveAdvise.ofSession(session)
      assert(advice.contains("in_file") && advice.contains("kept1.csv"), advice)
    }
  }

  test("an entry does not keep the values that were read with it") {
    folder("pairs", "parquet", sql("SELECT id, cast(id AS INT) AS c FROM range(50)"))
    val session = spark.newSession()
    def of(column: String) = s"in_file(id, '$dir/pairs', map('column', '$column'))"
    def readTogether() = {
      val both = values(session, s"SELECT * FROM cars WHERE ${of("id")} AND ${of("c")}")
      assert(both.size == 2)
      (new WeakReference(both.head), both.last)
    }
    val (one, other) = readTogether()
    SessionListeners.await(session, 10000)
    KeySetCache(session).clear()
    assert(freed(one) && other.known.nonEmpty)
  }

  test("a combined set does not keep the values of its parts") {
    val (one, other) = (file("part1.csv", "1", "2"), file("part2.csv", "2", "3"))
    val session = spark.newSession()
    val query = s"SELECT * FROM cars WHERE in_file(id, '$one') OR in_file(id, '$other')"
    val parts = read(session, query)
    SessionListeners.await(session, 10000)
    val cache = KeySetCache(session)
    // The parts were used before the set that was made of them.
    withConf("spark.sieve.bulkFilter.maxCacheBytes" -> (cache.bytes / 2).toString) {
      cache.trim(Caps(spark))
    }
    assert(cache.size == 1 && freed(parts: _*))
    assert(read(session, query).size == 2)
  }

  test("all sessions together keep a bounded number of bytes, those that were used last") {
    val (one, other) = (file("shared1.csv", "1", "2"), file("shared2.csv", "2", "3"))
    def query(path: String) = s"SELECT * FROM cars WHERE in_file(id, '$path')"
    val sessions = Seq.fill(3)(spark.newSession())
    KeySetCache(spark).clear()
    KeySetCache.trimAll(0)
    sessions.foreach(s => Seq(one, other).foreach(path => values(s, query(path))))
    def bytes = sessions.map(KeySetCache(_).bytes)
    val each = bytes.head
    assert(each > 0 && bytes.forall(_ == each))
    values(sessions.head, query(one))
    KeySetCache.trimAll(each * 3 / 2)
    assert(bytes == Seq(each / 2, 0, each))
    KeySetCache.trimAll(each / 2)
    // The first session's was used last.
    assert(bytes == Seq(each / 2, 0, 0))
  }

  test("columns of files are known for their last state, and for no other") {
    def count(path: String) =
      sql(s"SELECT count(*) FROM cars WHERE in_file(id, '$path')").head().getLong(0)
    val path = folder("states", "parquet", sql("SELECT id AS a FROM range(3)"))
    assert(count(path) == 3)
    val before = KnownColumns.size
    folder("states", "parquet", sql("SELECT id AS b FROM range(5)"))
    assert(count(path) == 5)
    assert(KnownColumns.size == before)
  }

  test("values that wait to be read are not read if the query is cancelled") {
    val paths = Seq(file("waits1.csv", "1"), file("waits2.csv", "2"))
    val predicate = paths.map(p => s"in_file(id, '$p')").mkString(" OR ")
    val sources = InFile
      .in(sql(
        s"SELECT * FROM cars WHERE $predicate").queryExecution.analyzed.children.head.expressions.head)
      .flatMap(_.members.leaves)
      .map(_.source)
    val caps = Caps(spark)
    val entries = PinKeyFiles.entries(spark, sources, caps).values.toSeq
    assert(entries.size == 2)
    // One group would read both on one thread.
    entries.foreach(_.bound(spark))
    LoadEntries.within(Long.MaxValue) {
      val query =
        DaemonThreads.unbounded.submit(OnThread.task(spark)(LoadEntries(spark, entries, caps)))
      Thread.sleep(1000)
      assert(!query.isDone && query.cancel(true))
      Thread.sleep(1000)
    }
    Thread.sleep(1000)
    assert(entries.forall(_.known.isEmpty))
    LoadEntries(spark, entries, caps)
    assert(entries.forall(_.known.nonEmpty))
  }

  test("a thread of a pool has no session of its own") {
    spark.range(1).collect()
    SparkSession.setActiveSession(spark)
    val pool = DaemonThreads.bounded(1, "sieve-test")
    val session: Callable[Option[SparkSession]] = () => SparkSession.getActiveSession
    try assert(pool.submit(session).get().isEmpty)
    finally pool.shutdown()
  }
}
