package io.sparksieve.dynamicfilter

import org.apache.parquet.hadoop.ParquetInputFormat

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SparkCompat
import io.sparksieve.keyset._

/**
 * A scan of files that reads what may hold the keys, and counts on the metrics of the scan it is
 * made from: fewer directories, fewer files, and for the reader fewer row groups and pages.
 */
private[dynamicfilter] object FilteredFileScan {

  /** @param keys by column of the scan's output; see [[ScanFilter]] */
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
        KeyType.of(attr.dataType).map(new PartitionTest(ordinal, _, set))
      case _ => None
    }
    val pushed = found.collect {
      case (attr, set, ScanColumn.Data(Some(form), _)) if !set.isEmpty =>
        KeyPredicates(attr, set, form)
    }
    metrics.rangesPushed(pushed.map(_.ranges).sum)
    val footers = new FooterPruning(
      found.collect { case (_, set: LongKeySet, ScanColumn.Data(_, Some(field))) =>
        new FileTest(new FooterColumn(field, conf.caseSensitiveAnalysis), set)
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
        options = relation.options ++ readerOptions(visible, pushed))(relation.sparkSession),
      visible.dataFilters ++ pushed.flatMap(_.predicates)
    )
  }

  /**
   * Parquet reads a column's dictionary for each comparison with it. That pays for single values;
   * for ranges it costs more than reading the row groups, which a dictionary seldom rules out.
   */
  private def readerOptions(
      visible: FileSourceScanExec,
      pushed: Seq[KeyPredicates.Pushed]): Map[String, String] = {
    val predicates = pushed.flatMap(_.predicates)
    val ranges = predicates.exists(_.exists(_.isInstanceOf[GreaterThanOrEqual]))
    // Those of the query may be for single values.
    val own = visible.dataFilters.exists(_.exists {
      case _: EqualTo | _: EqualNullSafe | _: In | _: InSet => true
      case _ => false
    })
    if (!ranges || own) Map.empty
    else Map(ParquetInputFormat.DICTIONARY_FILTERING_ENABLED -> "false")
  }
}
