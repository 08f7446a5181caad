package io.sparksieve.bulkfilter

import org.apache.spark.sql.types.{DataType, StructType}

/** Where the values of a leaf lie. */
sealed abstract class KeyPlace extends Product with Serializable {

  /** As the user names it. */
  def name: String
}

/**
 * Files that one of Spark's readers reads.
 *
 * @param path
 *   as it was given
 * @param options
 *   the reader's
 * @param schema
 *   what the reader is told to read; partition columns are not in it
 */
final case class FilePlace(
    path: String,
    format: String,
    options: Map[String, String],
    schema: StructType)
    extends KeyPlace {
  override def name: String = path
  // Plans are compared often, and a schema's own takes long.
  override lazy val hashCode: Int = (path, format, options, schema).hashCode
}

/**
 * A table or view.
 *
 * @param parts
 *   catalog, database and name, as many as were given
 */
final case class TablePlace(parts: Seq[String]) extends KeyPlace {
  override def name: String = parts.mkString(".")
}

/**
 * A column whose values are cast to the type of the key.
 *
 * @param fileType
 *   the type it is read as
 * @param isText
 *   whether it is text that stands for a value: then it is parsed
 * @param padTo
 *   spaces are put behind shorter strings up to this length, as for a CHAR column
 * @param zone
 *   the session's time zone where the cast needs one
 */
final case class KeyColumn(
    name: String,
    fileType: DataType,
    keyType: DataType,
    isText: Boolean,
    padTo: Option[Int],
    zone: Option[String])

/**
 * The values that a leaf asks for.
 *
 * @param columns
 *   one for each column of the key
 * @param skipsInvalid
 *   whether values that are no values of the key's type are left out; they are an error otherwise
 */
final case class KeySource(
    function: String,
    place: KeyPlace,
    columns: Seq[KeyColumn],
    skipsInvalid: Boolean) {

  override lazy val hashCode: Int = (place, columns, skipsInvalid).hashCode

  /** The types of the key's columns. */
  def keyTypes: Seq[DataType] = columns.map(_.keyType)

  /** Such as `ids.csv[id]`. */
  def label: String = s"${place.name}[${columns.map(_.name).mkString(", ")}]"
}
