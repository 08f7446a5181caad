// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.util.{Locale, Map => JavaMap}

import org.apache.spark.sql.catalyst.analysis.{NoSuchNamespaceException, NoSuchTableException}
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * A catalog with a table for each number of rows, so that no view is needed. After
 * {{{
 *   spark.sql.catalog.rangedb = io.sparksieve.rangesource.RangeDbCatalog
 * }}}
 * `rangedb.t50` is the table of 50 rows. The other options of the source are set on the
 * catalog, for example `spark.sql.catalog.rangedb.partitions`.
 */
final class RangeDbCatalog extends TableCatalog {

  private var catalogName = ""
  private var defaults: JavaMap[String, String] = _

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    catalogName = name
    if (options.containsKey(RangeDbOptions.Rows))
      throw new IllegalArgumentException(
        s"The catalog $name takes no option '${RangeDbOptions.Rows}': it is in the name of each " +
          s"table, as in $name.t50.")
    defaults = options.asCaseSensitiveMap
    // Checks the options now: a wrong option is an error of the catalog, not of each table.
    table("0")
    ()
  }

  override def name(): String = catalogName

  override def loadTable(ident: Identifier): Table = ident.name.toLowerCase(Locale.ROOT) match {
    case RangeDbCatalog.Name(rows) if ident.namespace.isEmpty => table(rows)
    case _ => throw new NoSuchTableException(ident)
  }

  private def table(rows: String): Table = {
    val options = new java.util.HashMap[String, String](defaults)
    options.put(RangeDbOptions.Rows, rows)
    RangeDbTable(RangeDbOptions(options))
  }

  /** Lists no table, because there is one for each number. */
  override def listTables(namespace: Array[String]): Array[Identifier] =
    if (namespace.isEmpty) Array.empty else throw new NoSuchNamespaceException(namespace)

  // The oldest overload, which all other overloads of each Spark line call.
  override def createTable(
      ident: Identifier,
      schema: StructType,
      partitions: Array[Transform],
      properties: JavaMap[String, String]): Table = refuse(ident, "made")

  override def alterTable(ident: Identifier, changes: TableChange*): Table =
    refuse(ident, s"altered (in ${changes.size} ways)")

  override def dropTable(ident: Identifier): Boolean = refuse(ident, "dropped")

  override def renameTable(from: Identifier, to: Identifier): Unit =
    refuse(from, s"renamed to ${to.name}")

  private def refuse(ident: Identifier, what: String) =
    throw new UnsupportedOperationException(
      s"${ident.name} cannot be $what: the tables of the catalog $catalogName are computed, and " +
        s"$catalogName.t50 is the one of 50 rows.")
}

private object RangeDbCatalog {
  private val Name = "t([0-9]+)".r
}
