package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  DynamicPruningExpression,
  Expression,
  Literal,
  NamedExpression
}
import org.apache.spark.sql.execution.InSubqueryExec
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.DataType

import io.sparksieve.common.ExactLiterals
import io.sparksieve.keyset.{BytesKeySet, BytesKeyType, KeySet, KeyType, LongKeySet, LongKeyType}

/**
 * Builds a scan of a DSv2 source that passes the keys to the source as runtime filters, as Spark's
 * dynamic partition pruning does. The new scan updates the metrics of the original scan.
 */
private[sparksieve] object FilteredBatchScan {

  /** Larger key sets are not passed: a source walks the list for each partition or file. */
  final val MaxKeys = 10000

  /** @param keys the keys for each column of the scan's output; see [[ScanFilter]] */
  def apply(
      visible: BatchScanExec,
      keys: Seq[(Attribute, KeySet)],
      conf: SQLConf,
      metrics: ScanMetrics): BatchScanExec = {
    val lists = keys.flatMap {
      case (attr, set)
          if set.size <= MaxKeys && ScanColumn
            .of(visible, attr, conf)
            .contains(ScanColumn.Runtime) =>
        values(set, attr.dataType).filter(areExact(_, attr.dataType)).map(attr -> _)
      case _ => None
    }
    metrics.rangesPushed(lists.map { case (_, values) => values.size }.sum)
    if (lists.isEmpty) visible
    else new RuntimeBatchScan(visible, lists.map { case (attr, values) => in(attr, values) })
  }

  private def in(attr: Attribute, values: Seq[Any]): Expression = {
    val rows = KeyRowsExec(attr.dataType, values)
    DynamicPruningExpression(InSubqueryExec(attr, rows, NamedExpression.newExprId))
  }

  /** The keys that a column of `dataType` can hold, as values of that type. */
  private def values(keys: KeySet, dataType: DataType): Option[Seq[Any]] =
    (keys, KeyType.of(dataType)) match {
      case (longs: LongKeySet, Some(t: LongKeyType)) =>
        Some(longs.sorted.toSeq.filter(KeyRanges.fits(_, dataType)).map(t.decode))
      case (bytes: BytesKeySet, Some(t: BytesKeyType)) => Some(bytes.keys.map(t.decode).toVector)
      case _ => None
    }

  // Sources convert Spark's values to types of their own, for example to Java strings.
  private def areExact(values: Seq[Any], dataType: DataType) =
    values.forall(v => ExactLiterals.survives(Literal(v, dataType)))
}
