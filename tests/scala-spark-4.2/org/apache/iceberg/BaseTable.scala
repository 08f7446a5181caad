// SPDX-License-Identifier: Apache-2.0
package org.apache.iceberg

import java.util.{Map => JMap}

import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Stands in for Iceberg's table on this line, of which there is no Iceberg yet: the methods that
 * Sieve calls by reflection, for a table whose columns have ids 1 (`id`) and 2 (`n`). Options make
 * it a table to which no predicate may be added.
 */
final class BaseTable(options: CaseInsensitiveStringMap) {

  private def is(option: String) = options.getBoolean(option, false)

  def schema(): Schema = new Schema(options)

  def schemas(): JMap[Integer, Schema] =
    if (is("retyped")) JMap.of(0, schema(), 1, new Schema(BaseTable.Narrow))
    else JMap.of(0, schema())

  def currentSnapshot(): Snapshot = new Snapshot(if (is("old-snapshot")) 7 else 0)

  def properties(): JMap[String, String] =
    if (is("imported")) JMap.of("schema.name-mapping.default", "[]")
    else if (is("elsewhere")) JMap.of("write.data.path", "/other")
    else JMap.of()

  def location(): String = "/t"

  def specs(): JMap[Integer, PartitionSpec] = JMap.of(0, new PartitionSpec(is("partitioned")))
}

object BaseTable {
  private val Narrow = new CaseInsensitiveStringMap(JMap.of("type", "INTEGER"))
}

final class Snapshot(id: Long) {
  def snapshotId(): Long = id
}

final class PartitionSpec(partitioned: Boolean) {
  def isUnpartitioned(): Boolean = !partitioned
}

/** The option `renamed` names a column that has another id since. */
final class Schema(options: CaseInsensitiveStringMap) {

  private def id(name: String) =
    (if (name == "id") 1 else 2) + (if (options.get("renamed") == name) 10 else 0)

  private def field(name: String) =
    new Field(id(name), name, options.getOrDefault("type", "LONG"), options.get("default"))

  def findField(name: String): Field = field(name)
  def findField(id: Int): Field = Seq("id", "n").find(this.id(_) == id).map(field).orNull
}

final class Field(id: Int, val name: String, typeId: String, default: String) {
  def fieldId(): Int = id
  def initialDefault(): Object = default
  def `type`(): FieldType = FieldType(typeId)
}

final case class FieldType(typeId: String)
