// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.parquet.hadoop.ParquetInputFormat

import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

import io.sparksieve.common.{ReadSource, ReaderSetting}

/**
 * Spark's own configs for data skipping, which Sieve obeys too. For example, if a user turned
 * push-down off because statistics are wrong, Sieve must not use them in footers.
 *
 *   - Parquet (row groups, pages, and files by their footers): `spark.sql.parquet.filterPushdown`,
 *     its `.date`, `.timestamp` and `.decimal` for columns of these types,
 *     `spark.sql.parquet.pushdown.inFilterThreshold` if 0, and Parquet's own
 *     `parquet.filter.stats.enabled`; for strings and binary also
 *     `parquet.strings.signed-min-max.enabled` if true, because the bounds of old files then have an
 *     order that is not Spark's. Parquet's configs for pages, dictionaries and Bloom filters
 *     concern only its reader, which obeys them. If columns are resolved by field id
 *     (`spark.sql.parquet.fieldId.read.enabled`), nothing is skipped: Spark still looks statistics
 *     up by name, and the name may be that of another column.
 *   - ORC: `spark.sql.orc.filterPushdown`. If columns are resolved by position
 *     (`orc.force.positional.evolution`), nothing is skipped: Spark still creates filters by name.
 *   - Directories, and runtime filters of DSv2 sources:
 *     `spark.sql.optimizer.dynamicPartitionPruning.enabled`.
 *   - Keys of a broadcast: the previous config; keys of a broadcast or a shuffle:
 *     `spark.sql.exchange.reuse` ([[KeySource]]).
 *
 * CSV and JSON get no keys, and rows in memory are not skipped by statistics.
 * `spark.sql.optimizer.runtime.bloomFilter.enabled` selects another form of row filter, which
 * relies on no statistics of files.
 */
private[sparksieve] object SparkSwitches {

  /** The config that forbids the use of a Parquet column's statistics, as text; None if allowed. */
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
    else if (FooterBytes.supports(dataType) && trustsSigned(relation, conf))
      Some(s"$SignedStrings is true")
    else None
  }

  def orc(relation: HadoopFsRelation, conf: SQLConf): Option[String] =
    if (!conf.orcFilterPushDown) off(SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key)
    else if (ReadSource.findsByPlace(relation.options, conf))
      Some(s"${ReadSource.PositionalOrc} is true")
    else None

  def partitions(conf: SQLConf): Option[String] =
    if (conf.dynamicPartitionPruningEnabled) None
    else off(SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key)

  private def off(key: String) = Some(s"$key is false")

  private def usesStatistics(relation: HadoopFsRelation, conf: SQLConf) =
    !ReaderSetting(ParquetInputFormat.STATS_FILTERING_ENABLED, relation.options, conf)
      .exists(_.equalsIgnoreCase("false"))

  private final val SignedStrings = "parquet.strings.signed-min-max.enabled"

  private def trustsSigned(relation: HadoopFsRelation, conf: SQLConf) =
    ReaderSetting(SignedStrings, relation.options, conf).exists(_.equalsIgnoreCase("true"))
}
