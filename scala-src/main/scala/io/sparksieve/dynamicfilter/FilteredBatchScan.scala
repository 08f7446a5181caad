package io.sparksieve.dynamicfilter

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
import io.sparksieve.keyset._

/**
 * A scan of a DSv2 source that tells the source the keys, as Spark tells it those of dynamic
 * partition pruning, and counts on the metrics of the scan it is made from.
 */
private[dynamicfilter] object FilteredBatchScan {

  /** More keys are not told: a source walks the list for each of its partitions or files. */
  final val MaxKeys = 10000

  /** @param keys by column of the scan's output; see [[ScanFilter]] */
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

  /** The keys that a column of `dataType` can hold, as its values. */
  private def values(keys: KeySet, dataType: DataType): Option[Seq[Any]] =
    (keys, KeyType.of(dataType)) match {
      case (longs: LongKeySet, Some(t: LongKeyType)) =>
        Some(longs.sorted.toSeq.filter(KeyRanges.fits(_, dataType)).map(t.decode))
      case (bytes: BytesKeySet, Some(t: BytesKeyType)) => Some(bytes.keys.map(t.decode).toVector)
      case _ => None
    }

  // Sources make of Spark's values their own, strings of Java for one.
  private def areExact(values: Seq[Any], dataType: DataType) =
    values.forall(v => ExactLiterals.survives(Literal(v, dataType)))
}
