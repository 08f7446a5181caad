// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import java.util.Locale

import org.apache.spark.sql.catalyst.catalog.HiveTableRelation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.execution.datasources.{
  HadoopFsRelation,
  LogicalRelation,
  TextBasedFileFormat
}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sources.BaseRelation
import org.apache.spark.sql.types._

import io.sparksieve.common.ReaderConfs

/** How the result of a scan depends on which columns are read. */
private[setop] sealed trait ColumnSensitive

private[setop] object ColumnSensitive {

  /** The result does not depend on the columns read. */
  case object No extends ColumnSensitive

  /**
   * Whether the scan fails depends on the columns read. Mode FAILFAST checks only the columns that
   * are read. Dates that Spark 2 parsed differently raise an error only if they are read, and only
   * under the legacy time parser policy EXCEPTION.
   */
  case object Errors extends ColumnSensitive

  /**
   * Which rows the scan yields depends on the columns read. Mode DROPMALFORMED drops a line for a
   * bad value only if that column is read; the corrupt-record column is filled likewise; a corrupt
   * file that is ignored ends where the first unreadable column ends. Text formats count too while
   * partial results of JSON are disabled. A set operation that compares all columns reads all of
   * them; a filter in its place reads fewer columns as soon as the query above needs fewer.
   */
  case object Rows extends ColumnSensitive

  def apply(plan: LogicalPlan): ColumnSensitive = {
    val all = plan.collectLeaves().flatMap {
      case r: LogicalRelation => of(r.relation)
      case r: DataSourceV2Relation => of(r)
      case r: HiveTableRelation if r.isPartitioned && listsPartitions => Seq(Rows)
      case _ => Nil
    }
    if (all.contains(Rows)) Rows else if (all.contains(Errors)) Errors else No
  }

  /** Whether Spark lists a table's partitions in place of its rows, if it reads no other column. */
  private def listsPartitions: Boolean = SQLConf.get.optimizerMetadataOnly

  private def of(relation: BaseRelation): Seq[ColumnSensitive] = relation match {
    case fs: HadoopFsRelation if fs.partitionSchema.nonEmpty && listsPartitions => Seq(Rows)
    case fs: HadoopFsRelation =>
      val option = CaseInsensitiveMap(fs.options).get _
      ReaderConfs.of(fs, SQLConf.get).map(of(fs.fileFormat.getClass, option, fs.dataSchema, _))
    case _ => Nil
  }

  private def of(relation: DataSourceV2Relation): Seq[ColumnSensitive] = relation.table match {
    case file: FileTable =>
      def option(name: String) = Option(relation.options.get(name))
      val confs = ReaderConfs.of(file, SQLConf.get)
      confs.map(of(file.fallbackFileFormat, option, relation.schema, _))
    case _ => Nil
  }

  private def of(
      format: Class[_],
      option: String => Option[String],
      schema: StructType,
      conf: SQLConf): ColumnSensitive = {
    def ignoresCorruptFiles =
      option("ignoreCorruptFiles").map(_.toBoolean).getOrElse(conf.ignoreCorruptFiles)
    def corruptColumn =
      option("columnNameOfCorruptRecord").getOrElse(conf.columnNameOfCorruptRecord)
    def mode = option("mode").map(_.toUpperCase(Locale.ROOT))
    val isText = classOf[TextBasedFileFormat].isAssignableFrom(format)
    if (ignoresCorruptFiles) Rows
    else if (!isText) No
    else if (mode.contains("DROPMALFORMED") || schema.fieldNames.contains(corruptColumn) ||
      !conf.getConf(SQLConf.JSON_ENABLE_PARTIAL_RESULTS)) Rows
    else if (mode.contains("FAILFAST") || (refusesOldDates(conf) && hasDates(schema))) Errors
    else No
  }

  private def refusesOldDates(conf: SQLConf) =
    conf.getConf(SQLConf.LEGACY_TIME_PARSER_POLICY).toString.equalsIgnoreCase("EXCEPTION")

  private def hasDates(dataType: DataType): Boolean = dataType match {
    case DateType | TimestampType | TimestampNTZType => true
    case struct: StructType => struct.exists(field => hasDates(field.dataType))
    case ArrayType(element, _) => hasDates(element)
    case MapType(key, value, _) => hasDates(key) || hasDates(value)
    case _ => false
  }
}
