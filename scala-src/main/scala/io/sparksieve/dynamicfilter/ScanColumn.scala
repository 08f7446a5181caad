package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  FileSourceMetadataAttribute
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.read.{Scan, SupportsRuntimeV2Filtering}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceV2ScanRelation}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._

/** What keys of a scan's column can spare the scan. */
private[dynamicfilter] sealed trait ScanColumn

private[dynamicfilter] object ScanColumn {

  /** Directories. @param ordinal of the column in the relation's partition schema */
  final case class Partition(ordinal: Int) extends ScanColumn

  /**
   * Row groups, pages and files.
   *
   * @param form
   *   how the reader is told; None if it is not
   * @param field
   *   the column to look for in Parquet footers; None if they cannot be trusted with it
   */
  final case class Data(form: Option[KeyPredicates.Form], field: Option[StructField])
      extends ScanColumn

  /** Whatever a DSv2 source makes of a run-time filter on the column. */
  case object Runtime extends ScanColumn

  /** Whether run-time keys of `attr`, a column of the relation `leaf`, can spare it anything. */
  def canSkip(leaf: LogicalPlan, attr: Attribute, conf: SQLConf): Boolean = leaf match {
    case l: LogicalRelation =>
      l.relation match {
        case files: HadoopFsRelation => ofFiles(files, attr, conf).nonEmpty
        case _ => false
      }
    case r: DataSourceV2ScanRelation => ofSource(r.scan, attr, conf).nonEmpty
    case _ => false
  }

  /** What keys of `attr`, a column of its output, can spare `scan`. */
  def of(scan: SparkPlan, attr: Attribute, conf: SQLConf): Option[ScanColumn] = scan match {
    case files: FileSourceScanExec => ofFiles(files.relation, attr, conf)
    case batch: BatchScanExec => ofSource(batch.scan, attr, conf)
    case _ => None
  }

  private def ofFiles(
      relation: HadoopFsRelation,
      attr: Attribute,
      conf: SQLConf): Option[ScanColumn] =
    if (isMetadata(attr)) None
    else {
      val partition = relation.partitionSchema.indexWhere(_.name == attr.name)
      if (partition >= 0) Some(Partition(partition))
      else relation.dataSchema.find(_.name == attr.name).flatMap(ofData(relation, _, conf))
    }

  private def isMetadata(attr: Attribute) = attr match {
    case FileSourceMetadataAttribute(_) => true
    case _: AttributeReference => false
    case _ => true
  }

  private def ofData(
      relation: HadoopFsRelation,
      field: StructField,
      conf: SQLConf): Option[ScanColumn] =
    // A file without the column has its default, which no reader's filter knows of.
    if (field.metadata.contains(ExistenceDefault)) None
    else {
      val format = relation.fileFormat
      val form =
        if (FileFormats.isParquet(format) && conf.parquetFilterPushDown && toParquet(
            field.dataType))
          Some(KeyPredicates.Form.AnyRange)
        else if (FileFormats.isOrc(format) && conf.orcFilterPushDown && toOrc(field.dataType))
          Some(KeyPredicates.Form.NoGap)
        else None
      val footer =
        Some(field).filter(f => FileFormats.isParquet(format) && FooterColumn.supports(f, conf))
      if (form.isEmpty && footer.isEmpty) None else Some(Data(form, footer))
    }

  // No floats: 0.0 and -0.0 are one key, but two values to the readers' statistics.
  private def toParquet(dataType: DataType) = dataType match {
    case DateType | TimestampType | _: DecimalType | StringType | BinaryType => true
    case other => KeyRanges.isIntegral(other)
  }

  private def toOrc(dataType: DataType) = dataType match {
    case DateType | StringType => true
    case other => KeyRanges.isIntegral(other)
  }

  private def ofSource(scan: Scan, attr: Attribute, conf: SQLConf): Option[ScanColumn] =
    scan match {
      case source: SupportsRuntimeV2Filtering if !isFloat(attr.dataType) =>
        val filtered = source.filterAttributes().exists { reference =>
          val names = reference.fieldNames()
          names.length == 1 && conf.resolver(names.head, attr.name)
        }
        if (filtered) Some(Runtime) else None
      case _ => None
    }

  private def isFloat(dataType: DataType) = dataType == FloatType || dataType == DoubleType

  private final val ExistenceDefault = "EXISTS_DEFAULT"
}
