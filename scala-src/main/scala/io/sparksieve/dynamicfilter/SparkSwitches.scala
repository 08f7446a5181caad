package io.sparksieve.dynamicfilter

import org.apache.parquet.hadoop.ParquetInputFormat

import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.common.ReadSource

/**
 * Spark's own switches for skipping data, which bind Sieve too: who has switched push-down off
 * because statistics are wrong must not meet them again in a footer.
 *
 *   - Parquet (row groups, pages, files by their footers): `spark.sql.parquet.filterPushdown`, its
 *     `.date`, `.timestamp` and `.decimal` for columns of these types,
 *     `spark.sql.parquet.pushdown.inFilterThreshold` of 0, and Parquet's own
 *     `parquet.filter.stats.enabled`. Parquet's switches for pages, dictionaries and Bloom filters
 *     are for its reader alone, which obeys them. Where columns are found by their ids
 *     (`spark.sql.parquet.fieldId.read.enabled`), Spark still finds statistics by their names, which
 *     may be those of other columns.
 *   - ORC: `spark.sql.orc.filterPushdown`.
 *   - Directories, and run-time filters of DSv2 sources:
 *     `spark.sql.optimizer.dynamicPartitionPruning.enabled`.
 *   - Keys of a broadcast: that switch and `spark.sql.exchange.reuse` ([[KeySource]]).
 *
 * CSV and JSON are given no keys; rows in memory are not skipped by statistics; and
 * `spark.sql.optimizer.runtime.bloomFilter.enabled` chooses another form of the filter that tests
 * rows, which trusts nothing that a file says of itself.
 */
private[dynamicfilter] object SparkSwitches {

  /** The switch that keeps a Parquet column's statistics from being used, as text. */
  def parquet(relation: HadoopFsRelation, dataType: DataType, conf: SQLConf): Option[String] = {
    val ofType = dataType match {
      case DateType =>
        !conf.parquetFilterPushDownDate -> SQLConf.PARQUET_FILTER_PUSHDOWN_DATE_ENABLED
      case TimestampType | TimestampNTZType =>
        !conf.parquetFilterPushDownTimestamp -> SQLConf.PARQUET_FILTER_PUSHDOWN_TIMESTAMP_ENABLED
      case _: DecimalType =>
        !conf.parquetFilterPushDownDecimal -> SQLConf.PARQUET_FILTER_PUSHDOWN_DECIMAL_ENABLED
      case _ => false -> SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED
    }
    if (ReadSource.findsById(relation.dataSchema, conf))
      Some(s"${SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key} is true")
    else if (!conf.parquetFilterPushDown) off(SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key)
    else if (ofType._1) off(ofType._2.key)
    else if (conf.parquetFilterPushDownInFilterThreshold == 0)
      Some(s"${SQLConf.PARQUET_FILTER_PUSHDOWN_INFILTERTHRESHOLD.key} is 0")
    else if (!usesStatistics(relation, conf)) off(ParquetInputFormat.STATS_FILTERING_ENABLED)
    else None
  }

  def orc(conf: SQLConf): Option[String] =
    if (conf.orcFilterPushDown) None else off(SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key)

  def partitions(conf: SQLConf): Option[String] =
    if (conf.dynamicPartitionPruningEnabled) None
    else off(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key)

  private def off(key: String) = Some(s"$key is false")

  // In the order in which Spark puts Hadoop's configuration of a scan together.
  private def usesStatistics(relation: HadoopFsRelation, conf: SQLConf) = {
    val key = ParquetInputFormat.STATS_FILTERING_ENABLED
    def ofSession = Option(conf.getConfString(key, null))
    def ofHadoop = Option(relation.sparkSession.sparkContext.hadoopConfiguration.get(key))
    !relation.options
      .get(key)
      .orElse(ofSession)
      .orElse(ofHadoop)
      .exists(_.trim.equalsIgnoreCase("false"))
  }
}
