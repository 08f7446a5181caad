// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan.rebuilt

import java.util.{HashMap => JHashMap}

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning
import org.apache.spark.sql.connector.catalog.{SupportsRead, Table}
import org.apache.spark.sql.connector.read.{
  Scan,
  SupportsPushDownRequiredColumns,
  SupportsPushDownV2Filters
}
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, DataSourceV2ScanRelation}
import org.apache.spark.sql.sieve.{RowLevelTable, Translation}
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import io.sparksieve.keyset.KeySet

/**
 * Builds the scan of a DSv2 source anew at run time, with predicates that were not known at
 * planning, through the public builder of the table:
 * {{{
 *   table.newScanBuilder(options).pushPredicates(static ++ predicates).pruneColumns(schema).build()
 * }}}
 * The source then skips files by the statistics in its metadata.
 *
 * The rows are those of the planned scan that may match the predicates, because
 *
 *   - the scan is first built without the predicates, and must then equal the planned one. For this,
 *     equality of the source's scans must include everything that selects rows, apart from the next
 *     point: table, branch, names of columns, and filters. That was read in the sources of the
 *     classes in `Trusted` alone. If the filters or options of the plan are not all known here, the
 *     scans differ;
 *   - both scans have planned the files of one snapshot, by the same ids of columns: [[IcebergRead]];
 *   - the source evaluates the predicates as Spark does: [[IcebergTable]].
 *
 * Otherwise, or if building fails, the planned scan runs.
 */
private[sparksieve] object RebuiltScan extends Logging {

  /**
   * Iceberg's plain batch scan; not those that a copy-on-write operation replaces, or that read
   * changes or staged files.
   */
  private val Trusted = Set("org.apache.iceberg.spark.source.SparkBatchQueryScan")

  /** Whether a scan like `scan` can be built anew. */
  def supports(scan: Scan): Boolean =
    Trusted(scan.getClass.getName) && IcebergRead.isKnown(scan)

  /**
   * The types whose values Iceberg finds unchanged in the statistics of every file. Not timestamps
   * and strings: a file written by others may have other units, or strings that Parquet does not
   * mark as such. Iceberg reads both, but compares the former wrongly and fails for the latter.
   */
  def supports(dataType: DataType): Boolean = dataType match {
    case IntegerType | LongType | DateType => true
    case _ => false
  }

  /** The keys, among those of columns of the planned scan, that may be added to it. */
  def allowed(visible: BatchScanExec, keys: Seq[(Attribute, KeySet)]): Seq[(Attribute, KeySet)] =
    relationOf(visible).toSeq.flatMap { relation =>
      val table = RowLevelTable.below(relation.relation.table)
      // This plans no files: Spark has planned them to choose between rows and batches.
      val planned = visible.inputPartitions
      val filtered = SourceFilters.above(relation.relation).flatMap(_.references)
      val found = keys.filter { case (column, set) =>
        IcebergTable.allows(table, visible.scan, filtered, column, set)
      }
      if (found.nonEmpty && IcebergTable.areSafe(table, planned)) found else Nil
    }

  /**
   * The scan with `predicates` besides those of the planned scan `visible`; None if it cannot be
   * built, or would be the same.
   */
  def apply(visible: BatchScanExec, predicates: Seq[Expression]): Option[Scan] =
    try {
      relationOf(visible)
        .filter(_ => supports(visible.scan) && !isArranged(visible))
        .flatMap(narrowed(_, visible.scan, predicates))
    } catch {
      case NonFatal(e) =>
        logInfo(s"A scan could not be built anew with keys: $e")
        None
    }

  private def narrowed(
      relation: DataSourceV2ScanRelation,
      planned: Scan,
      predicates: Seq[Expression]): Option[Scan] = {
    val static = SourceFilters.above(relation.relation)
    def built(options: CaseInsensitiveStringMap, filters: Seq[Expression]) =
      builtBy(relation.relation.table, options, planned, filters)
    for {
      read <- IcebergRead.of(planned)
      options <- optionsOf(relation, read).find(built(_, static).contains(planned))
      scan <- built(options, static ++ predicates)
      // Plans the files, which the scan keeps.
      _ = scan.toBatch
      if scan != planned && IcebergRead.of(scan).contains(read)
    } yield scan
  }

  // For Spark 3.5 and 4.0, the scan of an operation that changes rows names its snapshot.
  private def optionsOf(relation: DataSourceV2ScanRelation, read: IcebergRead) = {
    val options = relation.relation.options
    val named = new JHashMap[String, String](options.asCaseSensitiveMap)
    named.put("snapshot-id", read.snapshot.toString)
    Seq(options, new CaseInsensitiveStringMap(named))
  }

  private def relationOf(visible: BatchScanExec): Option[DataSourceV2ScanRelation] =
    visible.logicalLink.flatMap(_.collectFirst {
      case r: DataSourceV2ScanRelation if r.scan eq visible.scan => r
    })

  // Operators above rely on groups, on an order, or on there being one partition.
  private def isArranged(visible: BatchScanExec) = visible.outputPartitioning match {
    case _: UnknownPartitioning =>
      visible.keyGroupedPartitioning.isDefined || visible.ordering.exists(_.nonEmpty)
    case _ => true
  }

  private def builtBy(
      table: Table,
      options: CaseInsensitiveStringMap,
      planned: Scan,
      filters: Seq[Expression]): Option[Scan] =
    IcebergTable.unrefreshed(RowLevelTable.below(table)) match {
      case readable: SupportsRead =>
        readable.newScanBuilder(options) match {
          case builder: SupportsPushDownV2Filters with SupportsPushDownRequiredColumns =>
            builder.pushPredicates(filters.flatMap(Translation.v2(_)).toArray)
            builder.pruneColumns(planned.readSchema())
            Some(builder.build())
          case _ => None
        }
      case _ => None
    }
}
