// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  DynamicPruningExpression,
  Expression,
  Literal,
  NamedExpression
}
import org.apache.spark.sql.connector.read.Scan
import org.apache.spark.sql.execution.InSubqueryExec
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.ExactLiterals
import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.keyset.bytes.{BytesKeySet, BytesKeyType}
import io.sparksieve.keyset.longs.{LongKeySet, LongKeyType}
import io.sparksieve.scan.rebuilt.RebuiltScan

/**
 * Builds a scan of a DSv2 source that skips what cannot contain the keys: the source gets them as
 * runtime filters, as in Spark's dynamic partition pruning, or as predicates of a scan that is
 * built anew ([[RebuiltScan]]), or both. The new scan updates the metrics of the original scan.
 */
private[sparksieve] object FilteredBatchScan {

  /** Larger key sets are no runtime filters: a source walks the list for each partition or file. */
  final val MaxKeys = 10000

  /** @param keys the keys for each column of the scan's output; see [[ScanFilter]] */
  def apply(
      visible: BatchScanExec,
      keys: Seq[(Attribute, KeySet)],
      conf: SQLConf,
      metrics: ScanMetrics): BatchScanExec = {
    val columns = for {
      (key, set) <- keys
      // With its name in the table, which the query may spell otherwise.
      attr <- visible.output.find(_.exprId == key.exprId)
      source <- ScanColumn.of(visible, attr, conf).collect { case s: ScanColumn.Source => s }
    } yield (attr, set, source)
    val lists = columns.flatMap {
      case (attr, set, source) if source.byRuntimeFilter && set.size <= MaxKeys =>
        values(set, attr.dataType).filter(areExact(_, attr.dataType)).map(attr -> _)
      case _ => None
    }
    val added = columns.collect { case (attr, set, source) if source.byRebuilding => attr -> set }
    def allowed = RebuiltScan.allowed(visible, added)
    val first = allowed
    val pushed = first.map { case (attr, set) => predicates(attr, set) }
    val rebuilt = Some(pushed.flatMap(_.predicates))
      .filter(_.nonEmpty)
      .flatMap(RebuiltScan(visible, _))
      // The table may have been refreshed in between.
      .filter(_ => allowed == first)
    rebuilt.foreach(countFiles(visible.scan, _, metrics))
    metrics.rangesPushed(
      math.max(
        lists.map { case (_, values) => values.size }.sum,
        if (rebuilt.isEmpty) 0 else pushed.map(_.ranges).sum))
    val filters = lists.map { case (attr, values) => in(attr, values) }
    if (rebuilt.isEmpty && filters.isEmpty) visible
    else new RuntimeBatchScan(visible, rebuilt.getOrElse(visible.scan), filters)
  }

  private def predicates(attr: Attribute, keys: KeySet): KeyPredicates.Pushed =
    if (keys.isEmpty) KeyPredicates.Pushed(Seq(Literal.FalseLiteral), ranges = 0)
    else KeyPredicates(attr, keys, KeyPredicates.Form.AnyRangeInLog)

  /** Counts the files that both scans read, if the source reports them. */
  private def countFiles(planned: Scan, rebuilt: Scan, metrics: ScanMetrics): Unit =
    for {
      before <- files(planned)
      kept <- files(rebuilt)
    } metrics.filesSkipped(before, kept)

  private def files(scan: Scan): Option[Long] =
    scan.reportDriverMetrics().collectFirst { case m if m.name() == ResultFiles => m.value() }

  /** The name of Iceberg's metric of the data files that are left after skipping. */
  private final val ResultFiles = "resultDataFiles"

  private def in(attr: Attribute, values: Seq[Any]): Expression = {
    val rows = KeyRowsExec(attr.dataType, values)
    DynamicPruningExpression(InSubqueryExec(attr, rows, NamedExpression.newExprId))
  }

  /** The keys that a column of `dataType` can hold, as values of that type. */
  private def values(keys: KeySet, dataType: DataType): Option[Seq[Any]] =
    (keys, KeyTypes.of(dataType)) match {
      case (longs: LongKeySet, Some(t: LongKeyType)) =>
        Some(longs.sorted.toSeq.filter(KeyRanges.fits(_, dataType)).map(t.decode))
      case (bytes: BytesKeySet, Some(t: BytesKeyType)) => Some(bytes.keys.map(t.decode).toVector)
      case _ => None
    }

  // Sources convert Spark's values to types of their own, for example to Java strings.
  private def areExact(values: Seq[Any], dataType: DataType) =
    values.forall(v => ExactLiterals.survives(Literal(v, dataType)))
}
