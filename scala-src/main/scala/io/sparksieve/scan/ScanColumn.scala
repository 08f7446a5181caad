// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  AttributeReference,
  FileSourceMetadataAttribute
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.connector.read.{Scan, SupportsRuntimeV2Filtering}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceV2ScanRelation}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.sieve.RowLevelTable
import org.apache.spark.sql.types._

import io.sparksieve.common.{ReadSource, ReaderConfs}
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.scan.rebuilt.RebuiltScan

/** The data that a scan can skip by the keys of one of its columns. */
private[sparksieve] sealed trait ScanColumn

private[sparksieve] object ScanColumn {

  /** Directories. @param ordinal the position of the column in the relation's partition schema */
  final case class Partition(ordinal: Int) extends ScanColumn

  /**
   * Row groups, pages and files.
   *
   * @param form
   *   the form of the predicates pushed into the reader; None if none are pushed
   * @param field
   *   the column to look up in Parquet footers; None if its statistics cannot be used
   */
  final case class Data(form: Option[KeyPredicates.Form], field: Option[StructField])
      extends ScanColumn

  /**
   * Whatever a DSv2 source can skip.
   *
   * @param byRuntimeFilter
   *   whether the source takes runtime filters on the column
   * @param byRebuilding
   *   whether its scan can be built anew with predicates on the column; see [[RebuiltScan]]
   */
  final case class Source(byRuntimeFilter: Boolean, byRebuilding: Boolean) extends ScanColumn

  private type Answer = Either[Refusal, ScanColumn]

  /** What a scan of `leaf` can skip by keys of its `column`, or why nothing. */
  def ofLeaf(leaf: LogicalPlan, column: Attribute, conf: SQLConf): Either[Refusal, ScanColumn] = {
    // By the leaf's own name: the query may write it in another case.
    val attr = leaf.output.find(_.exprId == column.exprId).getOrElse(column)
    leaf match {
      case l: LogicalRelation =>
        l.relation match {
          case files: HadoopFsRelation => ofFiles(files, attr, conf)
          case _ => nothing(attr, leaf.nodeName)
        }
      case r: DataSourceV2ScanRelation => ofSource(r.scan, r.relation.table, attr, conf)
      case _ => nothing(attr, leaf.nodeName)
    }
  }

  /** What `scan` can skip by keys of its output column `attr`; None if nothing. */
  def of(scan: SparkPlan, attr: Attribute, conf: SQLConf): Option[ScanColumn] = scan match {
    case files: FileSourceScanExec => ofFiles(files.relation, attr, conf).toOption
    case batch: BatchScanExec => ofSource(batch.scan, batch.table, attr, conf).toOption
    case _ => None
  }

  private def nothing(attr: Attribute, where: String): Answer =
    Left(Refusal(Reason.NothingToSkip, s"by ${attr.name} in $where"))

  private def switchedOff(switch: String): Answer = Left(Refusal(Reason.SwitchedOff, switch))

  private def ofFiles(relation: HadoopFsRelation, attr: Attribute, conf: SQLConf): Answer =
    if (isMetadata(attr)) nothing(attr, relation.toString)
    else {
      val partition = relation.partitionSchema.indexWhere(_.name == attr.name)
      if (partition >= 0)
        // Correct even if Spark ignores corrupt files: all rows of a directory have its value.
        SparkSwitches.partitions(conf).fold[Answer](Right(Partition(partition)))(switchedOff)
      else
        relation.dataSchema
          .find(_.name == attr.name)
          .map { field =>
            val answers = ReaderConfs.of(relation, conf).map(ofData(relation, field, attr, _))
            answers.find(_.isLeft).getOrElse(answers.head)
          }
          .getOrElse(nothing(attr, relation.toString))
    }

  private def isMetadata(attr: Attribute) = attr match {
    case FileSourceMetadataAttribute(_) => true
    case _: AttributeReference => false
    case _ => true
  }

  private def ofData(
      relation: HadoopFsRelation,
      field: StructField,
      attr: Attribute,
      conf: SQLConf): Answer = {
    val format = relation.fileFormat
    val isParquet = FileFormats.isParquet(format)
    val column =
      if (isParquet) {
        val form =
          if (FileFormats.isLogged(format)) KeyPredicates.Form.AnyRangeInLog
          else KeyPredicates.Form.AnyRange
        Data(
          Some(form).filter(_ => toParquet(field.dataType)),
          Some(field).filter(FileTest.supports(_, conf)))
      } else
        Data(
          Some(KeyPredicates.Form.NoGap)
            .filter(_ => FileFormats.isOrc(format) && toOrc(field.dataType)),
          None)
    // For a file without the column Spark reads the default, which no reader's filter accounts for.
    if (field.metadata.contains(ExistenceDefault) || column == Data(None, None))
      nothing(attr, relation.toString)
    // Spark reads a corrupt file up to the broken part. A scan that skips the broken part would
    // read the rows behind it too.
    else if (ReadSource.ignoresCorrupt(relation.options, conf))
      Left(Refusal(Reason.CorruptFilesIgnored, s"in $relation"))
    else {
      val switch =
        if (isParquet) SparkSwitches.parquet(relation, field.dataType, conf)
        else SparkSwitches.orc(relation, conf)
      switch.fold[Answer](Right(column))(switchedOff)
    }
  }

  /**
   * The types for which Spark's Parquet filters compare the values that Spark reads, whatever type
   * the file has. Spark creates the filters per file, and for these types creates none if the
   * file's type differs. Types left out include three for which the comparison can go wrong. An INT
   * that is read as TINYINT or SMALLINT wraps, so the file has other values than the rows. A
   * decimal column of a file may have fewer digits than the key, and the key is truncated to the
   * file's width. For floats, 0.0 and -0.0 are one key, but two values in a file's statistics.
   */
  private def toParquet(dataType: DataType) = dataType match {
    case IntegerType | LongType | DateType | TimestampType | StringType | BinaryType => true
    case _ => false
  }

  // ORC's reader compares the file's type with the type that Spark reads, and skips nothing if
  // values might differ.
  private def toOrc(dataType: DataType) = dataType match {
    case DateType | StringType => true
    case other => KeyRanges.isIntegral(other)
  }

  private def ofSource(scan: Scan, table: Table, attr: Attribute, conf: SQLConf): Answer = {
    // A copy-on-write operation replaces what its scan has left after runtime filters, and these
    // must be those that Spark adds, which know the operation's condition.
    val column = Source(
      !RowLevelTable.isChanged(table) && takesRuntimeFilter(scan, attr, conf),
      byRebuilding = isRebuilt(scan, attr, conf))
    if (column == Source(byRuntimeFilter = false, byRebuilding = false))
      nothing(attr, scan.description())
    else SparkSwitches.partitions(conf).fold[Answer](Right(column))(switchedOff)
  }

  private def takesRuntimeFilter(scan: Scan, attr: Attribute, conf: SQLConf) = scan match {
    case source: SupportsRuntimeV2Filtering if toSource(attr.dataType) =>
      source.filterAttributes().exists { reference =>
        val names = reference.fieldNames()
        names.length == 1 && conf.resolver(names.head, attr.name)
      }
    case _ => false
  }

  // A name with a dot could be taken for a field of a struct.
  private def isRebuilt(scan: Scan, attr: Attribute, conf: SQLConf) =
    SieveConf.dynamicFilterRebuildScans(conf) && RebuiltScan.supports(scan) &&
      RebuiltScan.supports(attr.dataType) &&
      !attr.name.contains('.') && scan.readSchema().exists(f => conf.resolver(f.name, attr.name))

  // Types on whose equality Spark and the source agree; they may not for floats.
  private def toSource(dataType: DataType) = dataType match {
    case BooleanType | DateType | TimestampType | TimestampNTZType | _: DecimalType => true
    case StringType | BinaryType => true
    case other => KeyRanges.isIntegral(other)
  }

  private final val ExistenceDefault = "EXISTS_DEFAULT"
}
