package io.sparksieve.setop

import java.util.Locale

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

/** What depends on which columns are asked of a source. */
sealed trait ColumnSensitive

object ColumnSensitive {

  /** Nothing does. */
  case object No extends ColumnSensitive

  /** Whether reading fails: mode FAILFAST looks at the columns that are read. */
  case object Errors extends ColumnSensitive

  /**
   * Which rows there are. Mode DROPMALFORMED drops a line for a bad value only if that column is
   * read; the corrupt-record column is filled likewise; a corrupt file that is ignored ends where
   * the first unreadable column ends. A set operation that compares all columns reads them all;
   * as a filter it reads fewer as soon as the query above asks for fewer.
   */
  case object Rows extends ColumnSensitive

  def apply(plan: LogicalPlan): ColumnSensitive = {
    val all = plan.collectLeaves().collect {
      case r: LogicalRelation => of(r.relation)
      case r: DataSourceV2Relation => of(r)
    }
    if (all.contains(Rows)) Rows else if (all.contains(Errors)) Errors else No
  }

  private def of(relation: BaseRelation): ColumnSensitive = relation match {
    case fs: HadoopFsRelation =>
      of(fs.fileFormat.getClass, CaseInsensitiveMap(fs.options).get, fs.dataSchema.fieldNames.toSeq)
    case _ => No
  }

  private def of(relation: DataSourceV2Relation): ColumnSensitive = relation.table match {
    case file: FileTable =>
      def option(name: String) = Option(relation.options.get(name))
      of(file.fallbackFileFormat, option, relation.output.map(_.name))
    case _ => No
  }

  private def of(
      format: Class[_],
      option: String => Option[String],
      columns: Seq[String]): ColumnSensitive = {
    val conf = SQLConf.get
    def ignoresCorruptFiles =
      option("ignoreCorruptFiles").map(_.toBoolean).getOrElse(conf.ignoreCorruptFiles)
    def corruptColumn =
      option("columnNameOfCorruptRecord").getOrElse(conf.columnNameOfCorruptRecord)
    def mode = option("mode").map(_.toUpperCase(Locale.ROOT))
    val isText = classOf[TextBasedFileFormat].isAssignableFrom(format)
    if (ignoresCorruptFiles) Rows
    else if (!isText) No
    else if (mode.contains("DROPMALFORMED") || columns.contains(corruptColumn) ||
      !conf.getConf(SQLConf.JSON_ENABLE_PARTIAL_RESULTS)) Rows
    else if (mode.contains("FAILFAST")) Errors
    else No
  }
}
