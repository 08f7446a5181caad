// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.apache.spark.sql.{DataFrame, QueryTest, Row}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.NamedExpression
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.types.{DataType, LongType}

import io.sparksieve.SieveTest
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.dynamicfilter.exec.{DynamicKeys, KeysSubqueryExec}
import io.sparksieve.dynamicfilter.optimize.KeyCaps
import io.sparksieve.keyset.{KeySet, KeySetBytes}
import io.sparksieve.keyset.build.KeySets
import io.sparksieve.keyset.longs.BloomCaps
import io.sparksieve.scan.{DynamicScanExec, ScanFilter, ScanKeys}

/** Scans with fixed keys, without a join that collects them. */
trait ScanTest extends SieveTest {
  import testImplicits._

  /** Runs `body` with footers read even for a single file. */
  protected def withFooters(body: => Unit): Unit =
    withSQLConf(SieveConf.DYNAMIC_FILTER_FOOTER_MIN_FILES.key -> "1")(body)

  protected def keySet(dataType: DataType, values: Any*): KeySet = {
    val builder = KeySets.builder(Seq(dataType), 1000000, 1L << 30)
    values.foreach(v => builder.add(InternalRow(v)))
    builder.result().get
  }

  protected def longs(values: Long*): ScanKeys = keys(LongType, keySet(LongType, values: _*))

  /** Keys that are in a Bloom filter. */
  protected def manyLongs(values: Long*): ScanKeys = {
    val builder = KeySets.builder(Seq(LongType), 1, 1L << 30, Some(BloomCaps(1000000, 1 << 16)))
    values.foreach(builder.addLong)
    keys(LongType, builder.result().get)
  }

  protected def keys(dataType: DataType, set: KeySet): ScanKeys =
    dynamicKeys(dataType, Some(KeySetBytes.encode(set)))

  protected def gaveUp(dataType: DataType): ScanKeys = dynamicKeys(dataType, None)

  private def dynamicKeys(dataType: DataType, bytes: Option[Array[Byte]]) = {
    val rows = Seq(Tuple1(bytes.orNull)).toDF("keys").queryExecution.sparkPlan
    val subquery =
      KeysSubqueryExec("fixed", None, Nil, KeyCaps(spark.sessionState.conf), pinned = true, rows)
    DynamicKeys(subquery, dataType, NamedExpression.newExprId)
  }

  /** The result of a scan: its rows and its operator. */
  protected final class Scanned(val rows: Seq[Row], val scan: DynamicScanExec) {

    def metric(name: String): Long = scan.metrics(name).value

    /** A metric of Spark's own scan, which is visible in the plan. */
    def visible(name: String): Long = scan.child.metrics(name).value
  }

  /** Runs a query whose one scan gets keys for some of its columns. */
  protected def scanned(query: DataFrame, filters: (String, ScanKeys)*): Scanned = {
    val plan = physical(query.queryExecution.analyzed).transformUp {
      case scan @ (_: FileSourceScanExec | _: BatchScanExec) =>
        val found = filters.map { case (name, k) =>
          ScanFilter(scan.output.find(_.name == name).get, k)
        }
        DynamicScanExec(found, scan)
    }
    val ready = CollapseCodegenStages()(ApplyColumnarRulesAndInsertTransitions(Nil, false)(plan))
    val rows = ready.executeCollectPublic().toSeq
    new Scanned(rows, ready.collectFirst { case s: DynamicScanExec => s }.get)
  }

  /** Asserts that the scan loses no row with a key, and returns its result. */
  protected def checked(query: DataFrame, filters: (String, ScanKeys)*)(
      isKey: Row => Boolean): Scanned = {
    val all = off(query)
    val result = scanned(query, filters: _*)
    val problem = QueryTest.sameRows(all.filter(isKey), result.rows.filter(isKey), isSorted = false)
    assert(problem.isEmpty, problem.map(_.take(2000)))
    assert(result.rows.size <= all.size)
    result
  }

  // A DataFrame keeps its first plan, with the configs of that time and its metrics.
  private def physical(query: LogicalPlan) = SparkCompat.plan(spark, query).sparkPlan
}
