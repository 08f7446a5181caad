// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import org.apache.spark.sql.types.{DataType, StructType}

/** The place that the values of a leaf are read from: files or a table. */
private[bulkfilter] sealed abstract class KeyPlace extends Product with Serializable {

  /** The name that the user gave. */
  def name: String
}

/**
 * Files that one of Spark's readers reads.
 *
 * @param path
 *   the path as given by the user
 * @param options
 *   the reader's options
 * @param schema
 *   the schema passed to the reader, including the partition columns that Spark infers
 */
private[bulkfilter] final case class FilePlace(
    path: String,
    format: String,
    options: Map[String, String],
    schema: StructType)
    extends KeyPlace {
  override def name: String = path
  // Cached: plans are compared often, and the hash code of a schema is expensive.
  override lazy val hashCode: Int = (path, format, options, schema).hashCode
}

/**
 * A table or view.
 *
 * @param parts
 *   the parts of the name that were given, out of catalog, database and table
 */
private[bulkfilter] final case class TablePlace(parts: Seq[String]) extends KeyPlace {
  override def name: String = parts.mkString(".")
}

/**
 * A column whose values are cast to the type of the key.
 *
 * @param fileType
 *   the type that the column is read as
 * @param isText
 *   whether the column is text to be parsed, as in CSV
 * @param padTo
 *   the length to which shorter strings are padded with spaces, as for a CHAR column
 * @param zone
 *   the session's time zone if the cast needs it
 */
private[bulkfilter] final case class KeyColumn(
    name: String,
    fileType: DataType,
    keyType: DataType,
    isText: Boolean,
    padTo: Option[Int],
    zone: Option[String])

/**
 * The values that a leaf looks keys up in.
 *
 * @param columns
 *   one for each column of the key
 * @param skipsInvalid
 *   whether values that are invalid for the key's type are skipped; otherwise they are an error
 */
private[sparksieve] final case class KeySource(
    function: String,
    place: KeyPlace,
    columns: Seq[KeyColumn],
    skipsInvalid: Boolean) {

  override lazy val hashCode: Int = (place, columns, skipsInvalid).hashCode

  /** The types of the key's columns. */
  def keyTypes: Seq[DataType] = columns.map(_.keyType)

  /** Place and columns for reports, for example `ids.csv[id]`. */
  def label: String = s"${place.name}[${columns.map(_.name).mkString(", ")}]"
}
