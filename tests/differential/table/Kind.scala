// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.table

/**
 * A column type of the random tables.
 *
 * @param ddl
 *   the type's name in SQL
 * @param literals
 *   the values that tables hold, as SQL; few, so that rows collide
 */
sealed abstract class Kind(val ddl: String, val literals: Seq[String]) {

  /** Values that tables hold rarely, as SQL: the ends of the type's range, and unusual values. */
  def extremes: Seq[String] = Nil

  /** Whether SQL's equality merges values of this type that other expressions distinguish. */
  def merges: Boolean = false
}

object Kind {

  case object Bool extends Kind("BOOLEAN", Seq("TRUE", "FALSE"))

  case object Int32 extends Kind("INT", Seq("0", "1", "2", "3", "-1")) {
    override def extremes: Seq[String] = Seq("2147483647", "-2147483648", "300")
  }

  case object Int64 extends Kind("BIGINT", Seq("0L", "1L", "2L", "-1L", "3000000000L")) {
    // Includes a number that a double cannot represent.
    override def extremes: Seq[String] =
      Seq("9223372036854775807L", "CAST('-9223372036854775808' AS BIGINT)", "9007199254740993L")
  }

  case object Float32
      extends Kind("FLOAT", Seq("0.0F", "-0.0F", "1.0F", "1.5F", "CAST('NaN' AS FLOAT)")) {
    override def extremes: Seq[String] = Seq(
      "CAST('-Infinity' AS FLOAT)",
      "CAST('Infinity' AS FLOAT)",
      "CAST('1.4E-45' AS FLOAT)",
      "CAST('3.4028235E38' AS FLOAT)",
      "16777217.0F")
    override def merges: Boolean = true
  }

  case object Float64
      extends Kind(
        "DOUBLE",
        Seq(
          "0.0D",
          "-0.0D",
          "1.0D",
          "-1.5D",
          "CAST('NaN' AS DOUBLE)",
          // A NaN with another bit pattern.
          "(-CAST('NaN' AS DOUBLE))",
          "CAST('Infinity' AS DOUBLE)")
      ) {
    override def extremes: Seq[String] = Seq(
      "CAST('-Infinity' AS DOUBLE)",
      "4.9E-324D",
      "1.7976931348623157E308D",
      "9007199254740993.0D",
      "1.0E16D",
      "0.1D")
    override def merges: Boolean = true
  }

  case object Dec extends Kind("DECIMAL(10,2)", Seq("0.00BD", "1.00BD", "1.50BD", "-2.25BD")) {
    override def extremes: Seq[String] = Seq("99999999.99BD", "-99999999.99BD", "0.01BD")
  }

  case object Text
      extends Kind("STRING", Seq("''", "'a'", "'A'", "'b'", "'ab'", "'a '", "'1'", "'12'", "'%'")) {
    // Some are not valid UTF-8.
    override def extremes: Seq[String] = Seq(
      "CAST(X'80' AS STRING)",
      "CAST(X'61FF' AS STRING)",
      "CAST(X'EDA080' AS STRING)",
      "'\uFFFD'",
      "'\u00e4'",
      "'\ud83d\ude00'",
      "repeat('a', 70)")
  }

  case object Day
      extends Kind("DATE", Seq("DATE'2020-01-31'", "DATE'2020-02-29'", "DATE'2021-12-01'")) {
    override def extremes: Seq[String] = Seq(
      "DATE'0001-01-01'",
      "DATE'1582-10-10'",
      // A day that Samoa skipped.
      "DATE'2011-12-30'",
      "DATE'9999-12-31'",
      "date_from_unix_date(2932897)",
      "date_from_unix_date(110000000)"
    )
  }

  case object Moment
      extends Kind(
        "TIMESTAMP",
        Seq("TIMESTAMP'2020-01-31 00:00:00'", "TIMESTAMP'2020-02-29 12:30:00.5'")) {
    // Some are finer than a millisecond, and close to the usual values.
    override def extremes: Seq[String] = Seq(
      "TIMESTAMP'2020-02-29 12:30:00.500001'",
      "TIMESTAMP'2020-01-30 23:59:59.999999'",
      "TIMESTAMP'0001-01-01 00:00:00'",
      "TIMESTAMP'1500-03-01 00:00:00'",
      "TIMESTAMP'9999-12-31 23:59:59.999999'"
    )
  }

  case object Bytes extends Kind("BINARY", Seq("X''", "X'00'", "X'61'", "X'6162'")) {
    override def extremes: Seq[String] = Seq("X'80'", "X'FF'", "X'7FFF'", "X'EFBFBD'")
  }

  case object Struct
      extends Kind(
        "STRUCT<i: INT, d: DOUBLE>",
        Seq(
          "named_struct('i', 1, 'd', 0.0D)",
          "named_struct('i', 1, 'd', -0.0D)",
          "named_struct('i', 2, 'd', CAST('NaN' AS DOUBLE))",
          "named_struct('i', CAST(NULL AS INT), 'd', 1.0D)"
        )
      ) {
    override def merges: Boolean = true
  }

  /**
   * Int16, Wide and Ntz are not part of [[plain]]: only features that need other widths of a type
   * use them.
   */
  case object Int16 extends Kind("SMALLINT", Seq("0S", "1S", "2S", "3S", "-1S")) {
    override def extremes: Seq[String] = Seq("32767S", "CAST(-32768 AS SMALLINT)")
  }

  case object Wide
      extends Kind("DECIMAL(20,4)", Seq("0.0000BD", "1.0000BD", "1.5000BD", "1.0001BD"))

  case object Ntz
      extends Kind(
        "TIMESTAMP_NTZ",
        Seq("TIMESTAMP_NTZ'2020-01-31 00:00:00'", "TIMESTAMP_NTZ'2020-02-29 12:30:00.5'"))

  /** Only for columns of tables that are created first and filled afterwards. */
  case object Padded extends Kind("CHAR(4)", Seq("''", "'a'", "'b '", "'1'", "'12'"))

  /** Strings under a collation; Spark 4.0 and later. */
  final case class Collated(collation: String)
      extends Kind(
        s"STRING COLLATE $collation",
        Seq("'a'", "'A'", "'b'", "'B'", "'aB'", "'Ab'", "'a '", "''")
          .map(l => s"CAST($l AS STRING COLLATE $collation)")) {
    override def merges: Boolean = true
  }

  /** A type that few columns have, and of which generators only know the values. */
  final case class Rare(
      typeName: String,
      usual: Seq[String],
      override val extremes: Seq[String] = Nil,
      override val merges: Boolean = false)
      extends Kind(typeName, usual)

  /** A type without an order or an equality; only generators that name it use it. */
  case object Mapped
      extends Kind(
        "MAP<STRING, INT>",
        Seq(
          "map('a', 1)",
          "map('a', 2, 'b', NULL)",
          "map('b', 1)",
          "CAST(map() AS MAP<STRING, INT>)"))

  val Int8: Rare =
    Rare("TINYINT", Seq("0Y", "1Y", "2Y", "-1Y"), Seq("127Y", "CAST(-128 AS TINYINT)"))

  /** The type that Spark reads an unsigned 64-bit integer as. */
  val Unsigned64: Rare =
    Rare(
      "DECIMAL(20,0)",
      Seq("0BD", "1BD", "2BD", "3BD"),
      Seq("9223372036854775808BD", "18446744073709551615BD"))

  val rare: Seq[Rare] = Seq(
    Int8,
    Rare(
      "DECIMAL(38,10)",
      Seq("0BD", "1BD", "0.0000000001BD", "-2.5BD"),
      Seq("9999999999999999999999999999.9999999999BD", "-9999999999999999999999999999BD")
    ),
    Rare("DECIMAL(18,0)", Seq("0BD", "1BD", "2BD"), Seq("999999999999999999BD")),
    Rare("DECIMAL(38,0)", Seq("0BD", "1BD"), Seq("99999999999999999999999999999999999999BD")),
    Rare(
      "INTERVAL YEAR TO MONTH",
      Seq("INTERVAL '0-0' YEAR TO MONTH", "INTERVAL '1-2' YEAR TO MONTH"),
      Seq("INTERVAL '-178956970-8' YEAR TO MONTH")
    ),
    Rare(
      "INTERVAL DAY TO SECOND",
      Seq("INTERVAL '0 00:00:00' DAY TO SECOND", "INTERVAL '1 02:03:04.000005' DAY TO SECOND"),
      Seq("INTERVAL '-106751990 00:00:00' DAY TO SECOND")
    ),
    Rare("ARRAY<INT>", Seq("array(1, 2)", "array(1, NULL)", "CAST(array() AS ARRAY<INT>)")),
    Rare(
      "ARRAY<DOUBLE>",
      Seq("array(0.0D)", "array(-0.0D)", "array(CAST('NaN' AS DOUBLE), 1.0D)"),
      merges = true),
    Rare(
      "ARRAY<DATE>",
      Seq("array(DATE'2020-01-31')", "array(CAST(NULL AS DATE))"),
      Seq("array(date_from_unix_date(110000000))"))
  )

  val plain: Seq[Kind] =
    Seq(Bool, Int32, Int64, Float32, Float64, Dec, Text, Day, Moment, Bytes, Struct)

  val collated: Seq[Kind] =
    Seq("UTF8_LCASE", "UNICODE_CI", "UTF8_BINARY_RTRIM", "UTF8_LCASE_RTRIM", "UNICODE")
      .map(Collated(_))
}

/**
 * A column in the scope of a query.
 *
 * @param merged
 *   whether an operation below has merged equal values (DISTINCT, GROUP BY, a set operation): Spark
 *   does not define which of them it keeps, so no expression may distinguish them
 */
final case class Column(name: String, kind: Kind, merged: Boolean = false) {

  /** Whether only expressions that do not distinguish equal values may use this column. */
  def opaque: Boolean = merged && kind.merges
}
