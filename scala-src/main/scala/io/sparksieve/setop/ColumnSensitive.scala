package io.sparksieve.setop

import java.util.Locale

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation, TextBasedFileFormat}
import org.apache.spark.sql.internal.SQLConf

/**
 * Whether which rows a source yields depends on which columns are asked of it. A text format in
 * mode DROPMALFORMED drops a line for a bad value only if that column is read; the corrupt-record
 * column is filled likewise; a corrupt file that is ignored ends where the first unreadable column
 * ends.
 */
object ColumnSensitive {

  def apply(plan: LogicalPlan): Boolean = plan.collectLeaves().exists {
    case r: LogicalRelation =>
      r.relation match {
        case fs: HadoopFsRelation => sensitive(fs)
        case _ => false
      }
    case _ => false
  }

  private def sensitive(fs: HadoopFsRelation): Boolean = {
    val conf = SQLConf.get
    val options = fs.options.map { case (k, v) => k.toLowerCase(Locale.ROOT) -> v }
    def ignoresCorruptFiles =
      options.get("ignorecorruptfiles").map(_.toBoolean).getOrElse(conf.ignoreCorruptFiles)
    def corruptColumn =
      options.getOrElse("columnnameofcorruptrecord", conf.columnNameOfCorruptRecord)
    def permissive = options.get("mode").forall(_.equalsIgnoreCase("PERMISSIVE"))
    val isText = fs.fileFormat.isInstanceOf[TextBasedFileFormat]
    ignoresCorruptFiles ||
    (isText && (!permissive || fs.dataSchema.fieldNames.contains(corruptColumn) ||
      !conf.getConf(SQLConf.JSON_ENABLE_PARTIAL_RESULTS)))
  }
}
