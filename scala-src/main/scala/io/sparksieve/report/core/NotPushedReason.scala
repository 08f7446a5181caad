// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * The reason why only Spark evaluates a predicate. The list is closed.
 *
 * @param code
 *   the stable name in reports
 * @param meaning
 *   one sentence for the user
 * @param remedy
 *   what the user can do about it; None if nothing
 */
private[sparksieve] sealed abstract class NotPushedReason(
    val code: String,
    val meaning: String,
    val remedy: Option[String])
    extends Product
    with Serializable {

  protected def this(code: String, meaning: String, remedy: String) =
    this(code, meaning, Some(remedy))
}

private[sparksieve] object NotPushedReason {
  case object NonDeterministic
      extends NotPushedReason(
        "non-deterministic",
        "Its value differs at each evaluation (rand, uuid and the like).",
        None)
  case object Udf
      extends NotPushedReason(
        "udf",
        "It calls a user-defined function, which only Spark can run.",
        "Write it with built-in comparisons, or store the function's value as a column."
      )
  case object Subquery
      extends NotPushedReason(
        "subquery",
        "It holds a subquery, whose value is known only while the query runs.",
        "Run the subquery first and write its value as a constant.")
  case object ValuesOfFiles
      extends NotPushedReason(
        "values-of-files",
        "It tests membership in the values of a file or table; a source can only be given what must " +
          "be among them.",
        "Under AND, in_file and in_table without NOT limit what is read."
      )
  case object CharPadding
      extends NotPushedReason(
        "char-padding",
        "The column is CHAR(n), and Spark pads its values to n characters before it compares them.",
        "Declare the column VARCHAR or STRING; then blanks at the end count in comparisons."
      )
  case object CastOnColumn
      extends NotPushedReason(
        "cast-on-column",
        "The column is cast before it is compared.",
        "Compare the column itself, with a constant of its own type, if that is true for the same " +
          "values: text and numbers, for example, have different orders."
      )
  case object TextColumn
      extends NotPushedReason(
        "text-column",
        "The column is text, and is cast to another type before it is compared.",
        "Give the source a schema with that type, or store the column with it. A constant in quotes " +
          "is no substitute, because texts have another order: '10' < '3'."
      )
  case object TwoColumns
      extends NotPushedReason(
        "two-columns",
        "It compares columns with each other; this source accepts only comparisons with constants.",
        None)
  case object OrAcrossColumns
      extends NotPushedReason(
        "or-across-columns",
        "It is true for some partitions or for some values of other columns, so that neither can " +
          "be skipped by it.",
        "Add a condition on the partition column that all wanted rows meet."
      )
  case object NestedField
      extends NotPushedReason(
        "nested-field",
        "It reads a field of a struct; this source accepts predicates on whole columns only.",
        "Store the field as a column of its own.")
  case object Element
      extends NotPushedReason(
        "element",
        "It reads an element of an array or a map, for which no statistics exist.",
        "Store the element as a column of its own.")
  case object Pattern
      extends NotPushedReason(
        "pattern",
        "Only prefixes, suffixes and parts of a text are pushed, not other patterns.",
        "If every match begins with the same text, add LIKE 'text%' beside it."
      )
  case object Computed
      extends NotPushedReason(
        "computed",
        "It computes a value from the column, and this source accepts no such predicate.",
        "Let the column stand alone on one side: a range of its values that has the same rows, " +
          "instead of a function of it."
      )
  case object Collation
      extends NotPushedReason(
        "collation",
        "The column's collation is not UTF8_BINARY, while sources compare and count bytes.",
        "Keep a copy of the column in UTF8_BINARY, such as lower(c) for UTF8_LCASE, and filter by " +
          "that."
      )
  case object TimestampNtz
      extends NotPushedReason(
        "timestamp-ntz",
        "Spark pushes no TIMESTAMP_NTZ to Parquet.",
        "Store the column as TIMESTAMP, with " +
          "spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS; its values then depend on the " +
          "session's time zone."
      )
  case object Int96
      extends NotPushedReason(
        "int96",
        "The files hold the timestamps as INT96, of which Parquet keeps no statistics.",
        "Write the files with spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS."
      )
  case object UnsupportedType
      extends NotPushedReason(
        "unsupported-type",
        "Nothing is pushed for columns of this type.",
        None)
  case object StoredOtherwise
      extends NotPushedReason(
        "stored-otherwise",
        "The files hold the column as another type than the table says, or do not have it.",
        "Write the files anew with the table's types."
      )
  case object SwitchedOff
      extends NotPushedReason(
        "switched-off",
        "A setting keeps such predicates from the source.",
        "Switch it on, unless it was switched off for a reason.")
  case object SourceDeclines
      extends NotPushedReason(
        "source-declines",
        "The source was offered the predicate and does not take it.",
        None)
  case object TakesNone
      extends NotPushedReason("takes-none", "The source takes no predicates.", None)
  case object NotKnown
      extends NotPushedReason("not-known", "Why it is left to Spark could not be found out.", None)

  /** The whole list, for documentation and tests. */
  val all: Seq[NotPushedReason] = Seq(
    NonDeterministic,
    Udf,
    Subquery,
    ValuesOfFiles,
    CharPadding,
    CastOnColumn,
    TextColumn,
    TwoColumns,
    OrAcrossColumns,
    NestedField,
    Element,
    Pattern,
    Computed,
    Collation,
    TimestampNtz,
    Int96,
    UnsupportedType,
    StoredOtherwise,
    SwitchedOff,
    SourceDeclines,
    TakesNone,
    NotKnown
  )
}
