package io.sparksieve.report.pushdown

/**
 * Why a predicate is left to Spark alone: a closed list.
 *
 * @param code
 *   the stable name in reports
 * @param meaning
 *   one sentence for the user
 * @param remedy
 *   what the user can do about it; None if nothing
 */
sealed abstract class Obstacle(val code: String, val meaning: String, val remedy: Option[String])
    extends Product
    with Serializable {

  protected def this(code: String, meaning: String, remedy: String) =
    this(code, meaning, Some(remedy))
}

object Obstacle {
  case object NonDeterministic
      extends Obstacle(
        "non-deterministic",
        "Its value differs each time it is asked (rand, uuid and the like).",
        None)
  case object Udf
      extends Obstacle(
        "udf",
        "It calls a user-defined function, which only Spark can run.",
        "Write it with built-in comparisons, or store the function's value as a column."
      )
  case object Subquery
      extends Obstacle(
        "subquery",
        "It holds a subquery, whose value is known only while the query runs.",
        "Run the subquery first and write its value as a constant.")
  case object ValuesOfFiles
      extends Obstacle(
        "values-of-files",
        "It asks for the values of a file or table, of which a source can be told only what must be " +
          "among them.",
        "Under AND, in_file and in_table without NOT limit what is read."
      )
  case object CharPadding
      extends Obstacle(
        "char-padding",
        "The column is CHAR(n), and Spark pads its values to n characters before it compares them.",
        "Declare the column VARCHAR or STRING.")
  case object CastOnColumn
      extends Obstacle(
        "cast-on-column",
        "The column is cast before it is compared.",
        "Compare it with a constant of the column's own type.")
  case object TwoColumns
      extends Obstacle(
        "two-columns",
        "It compares columns with each other; this source is told comparisons with constants.",
        None)
  case object OrAcrossColumns
      extends Obstacle(
        "or-across-columns",
        "It is true for some partitions or for some values of other columns, so that neither can " +
          "be skipped by it.",
        "Write the parts as filters of their own that UNION puts together, or add a condition on " +
          "the partition column that all wanted rows meet."
      )
  case object NestedField
      extends Obstacle(
        "nested-field",
        "It asks for a field of a struct, and this source is told of whole columns only.",
        "Store the field as a column of its own.")
  case object Element
      extends Obstacle(
        "element",
        "It asks for an element of an array or a map, of which no statistics exist.",
        "Store the element as a column of its own.")
  case object Pattern
      extends Obstacle(
        "pattern",
        "Only prefixes, suffixes and parts of a text are pushed, not other patterns.",
        "Where the pattern begins with fixed text, add LIKE 'text%' beside it."
      )
  case object Computed
      extends Obstacle(
        "computed",
        "It computes something from the column that this source cannot be told.",
        "Let the column stand alone on one side: a range of its values instead of a function of it."
      )
  case object Collation
      extends Obstacle(
        "collation",
        "The column's collation is not UTF8_BINARY, while sources compare and count bytes.",
        "Keep a copy of the column in UTF8_BINARY, in lower case say, and filter by that."
      )
  case object TimestampNtz
      extends Obstacle(
        "timestamp-ntz",
        "Spark pushes no TIMESTAMP_NTZ to Parquet.",
        "Store the column as TIMESTAMP, with " +
          "spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS."
      )
  case object Int96
      extends Obstacle(
        "int96",
        "The files hold the timestamps as INT96, of which Parquet keeps no statistics.",
        "Write the files with spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS."
      )
  case object UnsupportedType
      extends Obstacle("unsupported-type", "Nothing is pushed for columns of this type.", None)
  case object StoredOtherwise
      extends Obstacle(
        "stored-otherwise",
        "The files hold the column as another type than the table says, or do not have it.",
        "Write the files anew with the table's types."
      )
  case object SwitchedOff
      extends Obstacle(
        "switched-off",
        "A setting keeps such predicates from the source.",
        "Switch it on, unless it was switched off for a reason.")
  case object SourceDeclines
      extends Obstacle(
        "source-declines",
        "The source was offered the predicate and does not take it.",
        None)
  case object TakesNone extends Obstacle("takes-none", "The source takes no predicates.", None)
  case object NotKnown
      extends Obstacle("not-known", "Why it is left to Spark could not be found out.", None)

  /** The whole list, for documentation and tests. */
  val all: Seq[Obstacle] = Seq(
    NonDeterministic,
    Udf,
    Subquery,
    ValuesOfFiles,
    CharPadding,
    CastOnColumn,
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
