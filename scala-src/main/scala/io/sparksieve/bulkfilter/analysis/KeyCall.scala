// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.analysis

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.CharVarcharUtils
import org.apache.spark.sql.types._

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.FileKeys
import io.sparksieve.bulkfilter.source.{
  FoundColumns,
  KeyCast,
  KeyColumn,
  KeyFileException,
  KeyOptions,
  KeySource
}
import io.sparksieve.common.Numbers
import io.sparksieve.compat.SparkCompat
import io.sparksieve.keyset.build.KeyTypes

/** A call of in_file or in_table with its key. */
private[bulkfilter] final case class KeyCall(function: String, key: Expression) {

  /** The columns of the key: the fields of a struct, or the key itself. */
  private val keys: Seq[Expression] = key match {
    case struct: CreateNamedStruct => struct.valExprs
    case other =>
      other.dataType match {
        case s: StructType => s.indices.map(i => GetStructField(other, i, Some(s(i).name)))
        case _ => Seq(other)
      }
  }

  /** Builds the predicate that looks up the key in the columns that were found. */
  def leaf(found: FoundColumns, options: KeyOptions, session: SparkSession): InFile = {
    checkKeys()
    val chosen = choose(found, options, session)
    val columns = keys.zip(chosen).map { case (key, field) =>
      if (!KeyCast.comparable(field.dataType, key.dataType, found.isText))
        fail(
          s"column ${field.name} of ${found.place.name} is ${field.dataType.sql} and the key " +
            s"${key.sql} is ${key.dataType.sql}, which are not compared; cast the key to the " +
            "column's type.")
      KeyColumn(
        field.name,
        field.dataType,
        key.dataType,
        found.isText && field.dataType == StringType,
        padding(key, session),
        Some(SparkCompat.conf(session).sessionLocalTimeZone)
          .filter(_ => Cast.needsTimeZone(field.dataType, key.dataType))
      )
    }
    InFile(keys, FileKeys(KeySource(function, found.place, columns, options.skipsInvalid), None))
  }

  private def checkKeys(): Unit = {
    if (keys.isEmpty) fail("the key has no column.")
    keys.foreach { k =>
      if (!KeyTypes.supported(k.dataType))
        fail(s"the key ${k.sql} is ${k.dataType.sql}, ${reason(k.dataType)}")
    }
  }

  private def reason(dataType: DataType) = dataType match {
    case s: StringType
        if s.getClass == StringType.getClass || s.toString.startsWith("StringType") =>
      "a string of a collation or of fixed length, and values are compared byte by byte; compare " +
        "CAST(key AS STRING) COLLATE UTF8_BINARY if that is meant."
    case NullType => "which is no type to compare by; cast the key to the type of the values."
    case _ => "a type whose values are not held; the key must be of atomic types."
  }

  private def choose(
      found: FoundColumns,
      options: KeyOptions,
      session: SparkSession): Seq[StructField] = {
    val resolver = SparkCompat.conf(session).resolver
    val all = found.columns
    def has = s"${found.place.name} has the columns ${all.fieldNames.mkString(", ")}"
    options.columns match {
      case _ if all.isEmpty =>
        fail(
          s"${found.place.name} is empty, so its columns are not known; for a list without values " +
            "write a first line with names and give the option 'header', or the option 'format' " +
            "with 'text'.")
      case Some(names) if names.size != keys.size =>
        val columns = Numbers.counted(keys.size.toLong, "column")
        fail(s"the key has $columns and the option 'column' names ${names.size}.")
      case Some(names) =>
        names.map { name =>
          all.filter(f => resolver(f.name, name)) match {
            case Seq(one) => one
            case Seq() => fail(s"there is no column $name: $has.")
            case _ => fail(s"there is more than one column $name: $has.")
          }
        }
      case None if all.size == keys.size => all.fields.toSeq
      case None =>
        fail(
          s"the key has ${keys.size} ${if (keys.size == 1) "column" else "columns"} and $has; say " +
            "which are meant with the option 'column'" +
            (if (found.isText) ", and whether the first line has names with 'header'." else "."))
    }
  }

  /**
   * The length of the key if it is a CHAR column. Spark pads CHAR columns with spaces up to their
   * length when it reads them; values from elsewhere need not be padded.
   */
  private def padding(key: Expression, session: SparkSession): Option[Int] = key match {
    case a: AttributeReference if SparkCompat.conf(session).readSideCharPadding =>
      CharVarcharUtils.getRawType(a.metadata).collect { case c: CharType => c.length }
    case _ => None
  }

  private def fail(message: String): Nothing = KeyFileException.fail(function, message)
}
