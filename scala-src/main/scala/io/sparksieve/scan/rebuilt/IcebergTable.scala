// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.scan.rebuilt

import java.util.{Collection => JCollection, Map => JMap}

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.connector.read.{InputPartition, Scan}
import org.apache.spark.sql.types._

import io.sparksieve.keyset.KeySet
import io.sparksieve.keyset.longs.LongKeyFilter

/**
 * Says for which columns of an Iceberg table a predicate may be added to a scan. That the scan
 * without the predicate equals the planned one says nothing about how Iceberg evaluates the
 * predicate, so this is an allow-list. All of this must hold:
 *
 *   - The table is no metadata table, and the scan reads the table's current snapshot. The columns
 *     of its predicates have the same ids in the table's current schema: Iceberg finds them there,
 *     whatever the scan reads.
 *   - No file of the scan has equality deletes ([[areSafe]]): Iceberg skips those whose own values
 *     match no predicate.
 *   - The table has no name mapping, which tables with imported files have. It can be removed
 *     again; then Iceberg reads these files by the position of their columns, while their
 *     statistics were made by name. So no file of the scan may be an imported one.
 *   - The column has had its type always, and has no initial default (Iceberg takes it for NULL in
 *     files without the column). Schemas can be removed too; the one change of type that may be
 *     unknown then is from INT to BIGINT, which Iceberg follows in statistics.
 *   - No key is negative if the table is or was partitioned: `truncate` overflows.
 *
 * Sieve does not depend on Iceberg and calls its public API by reflection. What cannot be called
 * is not allowed.
 */
private[scan] object IcebergTable {

  /**
   * @param filtered
   *   the columns of the predicates that the scan has already
   */
  def allows(
      table: Table,
      scan: Scan,
      filtered: Seq[Attribute],
      column: Attribute,
      keys: KeySet): Boolean =
    try {
      val iceberg = get(table, "table")
      val snapshot = get(iceberg, "currentSnapshot")
      iceberg.getClass.getName == "org.apache.iceberg.BaseTable" && snapshot != null &&
      IcebergRead.of(scan).exists { read =>
        read.snapshot == get(snapshot, "snapshotId") &&
        (column +: filtered).forall(isSame(iceberg, _, read))
      } &&
      !map(get(iceberg, "properties")).containsKey("schema.name-mapping.default") &&
      isPlain(iceberg, column) &&
      (!isNegative(keys) || values(get(iceberg, "specs")).forall(get(_, "isUnpartitioned") == true))
    } catch {
      case NonFatal(_) => false
    }

  /**
   * Whether predicates may be added to a scan that has planned these files: none has equality
   * deletes, and Iceberg wrote them all. They lie where the table's writers put them, and have names
   * as its writers for Spark and Flink give them.
   */
  def areSafe(table: Table, planned: Seq[InputPartition]): Boolean =
    try {
      val iceberg = get(table, "table")
      val chosen = DataFolders.map(map(get(iceberg, "properties")).get(_)).filter(_ != null)
      val folders = (chosen :+ s"${get(iceberg, "location")}/data").map(_.toString)
      planned.forall { partition =>
        val tasks = list(get(get(partition, "taskGroup"), "tasks"))
        tasks.forall { task =>
          val file = get(get(task, "file"), "location").toString
          list(get(task, "deletes")).forall(get(_, "content").toString == "POSITION_DELETES") &&
          folders.exists(folder => file.startsWith(folder.stripSuffix("/") + "/")) &&
          OwnName.pattern.matcher(file.drop(file.lastIndexOf('/') + 1)).lookingAt()
        }
      }
    } catch {
      case NonFatal(_) => false
    }

  private val DataFolders =
    Seq("write.data.path", "write.object-storage.path", "write.folder-storage.path")

  // Partition, task, operation.
  private val OwnName = "[0-9]{5,}-[0-9]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}".r

  /** Whether the name of a column means the same in the current schema and in the scan. */
  private def isSame(iceberg: AnyRef, column: Attribute, read: IcebergRead) = {
    val field = find(get(iceberg, "schema"), column.name)
    field != null && read.fields.get(column.name).contains(get(field, "fieldId")) &&
    (column.dataType match {
      case _: StructType | _: ArrayType | _: MapType => false
      case _ => true
    })
  }

  /**
   * The table to build a scan from. Iceberg's tables for Spark 3.5 and 4.0 refresh themselves then,
   * unless their catalog caches tables, and the planned scan has the same table: it breaks if the
   * table was dropped. So this is a table that does not refresh itself.
   */
  def unrefreshed(table: Table): Table = {
    val (branch, snapshot) = (optional(table, "branch"), optional(table, "snapshotId"))
    val version = Seq(branch, snapshot).filter(_ != null)
    table.getClass.getConstructors
      .find { constructor =>
        val types = constructor.getParameterTypes.toSeq
        types.lastOption.contains(java.lang.Boolean.TYPE) &&
        types.drop(1).dropRight(1) == version.map(_.getClass)
      }
      .map { constructor =>
        val arguments = (get(table, "table") +: version) :+ java.lang.Boolean.FALSE
        constructor.newInstance(arguments: _*).asInstanceOf[Table]
      }
      .getOrElse(table)
  }

  private def optional(target: AnyRef, method: String) =
    if (target.getClass.getMethods.exists(_.getName == method)) get(target, method) else null

  private def isPlain(iceberg: AnyRef, column: Attribute) = {
    val field = find(get(iceberg, "schema"), column.name)
    val isHere = field != null && get(field, "initialDefault") == null
    def sameInAll = values(get(iceberg, "schemas")).forall { schema =>
      val other = find(schema, get(field, "fieldId"))
      other == null || get(other, "type") == get(field, "type")
    }
    isHere && typeIds.get(column.dataType).contains(get(get(field, "type"), "typeId").toString) &&
    sameInAll
  }

  private val typeIds =
    Map[DataType, String](IntegerType -> "INTEGER", LongType -> "LONG", DateType -> "DATE")

  private def isNegative(keys: KeySet) = keys match {
    case longs: LongKeyFilter if !longs.isEmpty => longs.min < 0
    case _ => false
  }

  private def find(schema: AnyRef, name: String): AnyRef =
    schema.getClass.getMethod("findField", classOf[String]).invoke(schema, name)

  private def find(schema: AnyRef, id: AnyRef): AnyRef =
    schema.getClass.getMethod("findField", classOf[Int]).invoke(schema, id)

  // Some of Iceberg's classes are private, though the interfaces that they implement are public.
  private[scan] def get(target: AnyRef, method: String): AnyRef = {
    val found = target.getClass.getMethod(method)
    found.setAccessible(true)
    found.invoke(target)
  }

  private def map(value: AnyRef): JMap[_, _] = value.asInstanceOf[JMap[_, _]]

  private def list(value: AnyRef): Seq[AnyRef] =
    value.asInstanceOf[JCollection[_]].toArray.toSeq.map(_.asInstanceOf[AnyRef])

  private def values(value: AnyRef): Seq[AnyRef] =
    map(value).values.toArray.toSeq.map(_.asInstanceOf[AnyRef])
}
