// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan.rebuilt

import java.util.{List => JList}
import java.util.function.Supplier

import scala.util.control.NonFatal

import org.apache.spark.sql.connector.read.Scan

/**
 * What a scan of Iceberg has planned its files by. Two scans that are equal may read columns of
 * other ids under the same names, and on Spark 3.5 and 4.0 other snapshots: those scans have the id
 * of a snapshot only if one was requested. The report that Iceberg makes when it plans files has
 * both, on all lines.
 *
 * @param snapshot
 *   the id of the snapshot
 * @param fields
 *   the ids of the columns that are read or filtered by, and of the fields in them, by their names
 *   in the schema that was read by
 */
private[scan] final case class IcebergRead(snapshot: AnyRef, fields: Map[String, AnyRef])

private[scan] object IcebergRead {

  /** The field of Iceberg's scans that supplies the report. */
  private final val Report = "scanReportSupplier"

  /** Whether a scan can say what it has planned its files by. */
  def isKnown(scan: Scan): Boolean = reportField(scan.getClass).isDefined

  /** What `scan` has planned its files by; None if it has planned none yet, or does not say. */
  def of(scan: Scan): Option[IcebergRead] =
    try {
      reportField(scan.getClass).flatMap { field =>
        field.setAccessible(true)
        Option(field.get(scan).asInstanceOf[Supplier[_ <: AnyRef]].get).map { report =>
          val names = IcebergTable.get(report, "projectedFieldNames").asInstanceOf[JList[String]]
          val ids = IcebergTable.get(report, "projectedFieldIds").asInstanceOf[JList[_ <: AnyRef]]
          IcebergRead(
            IcebergTable.get(report, "snapshotId"),
            names.toArray(Array.empty[String]).toSeq.zip(ids.toArray.toSeq).toMap)
        }
      }
    } catch {
      case NonFatal(_) => None
    }

  private def reportField(scan: Class[_]) =
    Iterator
      .iterate[Class[_]](scan)(_.getSuperclass)
      .takeWhile(_ != null)
      .flatMap(_.getDeclaredFields)
      .find(_.getName == Report)
}
