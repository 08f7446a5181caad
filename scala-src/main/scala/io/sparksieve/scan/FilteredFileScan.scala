// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.parquet.hadoop.ParquetInputFormat

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.{FileFormat, HadoopFsRelation}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.Translation

import io.sparksieve.compat.SparkCompat
import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.build.KeyTypes

/**
 * Builds a file scan that skips directories, files, row groups and pages that cannot contain the
 * keys. The new scan updates the metrics of the original scan.
 */
private[sparksieve] object FilteredFileScan {

  /** @param keys the keys for each column of the scan's output; see [[ScanFilter]] */
  def apply(
      visible: FileSourceScanExec,
      keys: Seq[(Attribute, KeySet)],
      conf: SQLConf,
      metrics: ScanMetrics): FileSourceScanExec = {
    val relation = visible.relation
    val found = keys.flatMap { case (attr, set) =>
      ScanColumn.of(visible, attr, conf).map(column => (attr, set, column))
    }
    val partitions = found.flatMap {
      case (attr, set, ScanColumn.Partition(ordinal)) =>
        KeyTypes.of(attr.dataType).map(new PartitionTest(ordinal, _, set))
      case _ => None
    }
    val pushed = found.collect {
      case (attr, set, ScanColumn.Data(Some(form), _)) if !set.isEmpty =>
        KeyPredicates(attr, set, form)
    }
    metrics.rangesPushed(pushed.map(_.ranges).sum)
    val footers = new FooterPruning(
      found.flatMap {
        case (_, set, ScanColumn.Data(_, Some(field))) =>
          FileTest(field, set, SparkCompat.conf(relation.sparkSession).caseSensitiveAnalysis)
        case _ => None
      },
      SparkCompat.hadoopConf(relation.sparkSession, relation.options),
      FooterPruning.limits(conf),
      metrics
    )
    val holdsNothing = keys.exists { case (_, set) => set.isEmpty }
    val location =
      new PrunedFileIndex(relation.location, holdsNothing, partitions, footers, metrics)
    new RuntimeFileScan(
      visible,
      relation.copy(
        location = location,
        fileFormat = format(relation, pushed),
        options = relation.options ++ readerOptions(visible, pushed))(relation.sparkSession),
      visible.dataFilters ++ pushed.flatMap(_.predicates)
    )
  }

  private def format(relation: HadoopFsRelation, pushed: Seq[KeyPredicates.Pushed]): FileFormat = {
    val predicates = pushed.flatMap(_.predicates)
    if (predicates.nonEmpty && FileFormats.isOrc(relation.fileFormat)) {
      val nested = Translation.nested(relation)
      new KeyedOrcFormat(predicates.flatMap(Translation.v1(_, nested)).toSet)
    } else relation.fileFormat
  }

  /**
   * Turns Parquet's dictionary filtering off for ranges. Parquet reads a column's dictionary for
   * each comparison with the column. That pays for single values. For ranges it costs more than
   * reading the row groups, because a dictionary seldom rules a row group out.
   */
  private def readerOptions(
      visible: FileSourceScanExec,
      pushed: Seq[KeyPredicates.Pushed]): Map[String, String] = {
    val predicates = pushed.flatMap(_.predicates)
    val ranges = predicates.exists(_.exists(_.isInstanceOf[GreaterThanOrEqual]))
    // For the query's own predicates, dictionaries may rule out more than the bounds do.
    val own = visible.dataFilters.exists(!needsBoundsOnly(_))
    if (!ranges || own) Map.empty
    else Map(ParquetInputFormat.DICTIONARY_FILTERING_ENABLED -> "false")
  }

  private def needsBoundsOnly(predicate: Expression): Boolean = predicate match {
    case _: IsNull | _: IsNotNull => true
    case _: LessThan | _: LessThanOrEqual | _: GreaterThan | _: GreaterThanOrEqual => true
    case _: And | _: Or => predicate.children.forall(needsBoundsOnly)
    case _ => false
  }
}

/** A scan made while a query runs, in the place of a planned one. It updates that one's metrics. */
private[scan] trait AsPlanned extends FileSourceScanExec {

  protected def visible: FileSourceScanExec

  override lazy val driverMetrics: Map[String, SQLMetric] = visible.driverMetrics

  override def metrics: Map[String, SQLMetric] = visible.metrics

  // Spark derives these from confs, which may have changed since the operators above were planned.
  override lazy val supportsColumnar: Boolean = visible.supportsColumnar

  override lazy val bucketedScan: Boolean = visible.bucketedScan

  override lazy val outputPartitioning: Partitioning = visible.outputPartitioning

  override lazy val outputOrdering: Seq[SortOrder] = visible.outputOrdering
}
