package io.sparksieve.differential

/**
 * A column type of the random tables.
 *
 * @param ddl
 *   the type's name in SQL
 * @param literals
 *   the values that tables hold, as SQL; few, so that rows collide
 */
sealed abstract class Kind(val ddl: String, val literals: Seq[String]) {

  /** Whether SQL's equality merges values of this type that other expressions tell apart. */
  def merges: Boolean = false
}

object Kind {

  case object Bool extends Kind("BOOLEAN", Seq("TRUE", "FALSE"))

  case object Int32 extends Kind("INT", Seq("0", "1", "2", "3", "-1"))

  case object Int64 extends Kind("BIGINT", Seq("0L", "1L", "2L", "-1L", "3000000000L"))

  case object Float32
      extends Kind("FLOAT", Seq("0.0F", "-0.0F", "1.0F", "1.5F", "CAST('NaN' AS FLOAT)")) {
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
          // A NaN of another bit pattern.
          "(-CAST('NaN' AS DOUBLE))",
          "CAST('Infinity' AS DOUBLE)")
      ) {
    override def merges: Boolean = true
  }

  case object Dec extends Kind("DECIMAL(10,2)", Seq("0.00BD", "1.00BD", "1.50BD", "-2.25BD"))

  case object Text
      extends Kind("STRING", Seq("''", "'a'", "'A'", "'b'", "'ab'", "'a '", "'1'", "'12'", "'%'"))

  case object Day
      extends Kind("DATE", Seq("DATE'2020-01-31'", "DATE'2020-02-29'", "DATE'2021-12-01'"))

  case object Moment
      extends Kind(
        "TIMESTAMP",
        Seq("TIMESTAMP'2020-01-31 00:00:00'", "TIMESTAMP'2020-02-29 12:30:00.5'"))

  case object Bytes extends Kind("BINARY", Seq("X''", "X'00'", "X'61'", "X'6162'"))

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

  /** These four are no part of [[plain]]: rooms that want other widths of one type name them. */
  case object Int16 extends Kind("SMALLINT", Seq("0S", "1S", "2S", "3S", "-1S"))

  case object Wide
      extends Kind("DECIMAL(20,4)", Seq("0.0000BD", "1.0000BD", "1.5000BD", "1.0001BD"))

  case object Ntz
      extends Kind(
        "TIMESTAMP_NTZ",
        Seq("TIMESTAMP_NTZ'2020-01-31 00:00:00'", "TIMESTAMP_NTZ'2020-02-29 12:30:00.5'"))

  /** Only for columns of tables that are created before they are filled. */
  case object Padded extends Kind("CHAR(4)", Seq("''", "'a'", "'b '", "'1'", "'12'"))

  /** Strings under a collation; Spark 4.0 and later. */
  final case class Collated(collation: String)
      extends Kind(
        s"STRING COLLATE $collation",
        Seq("'a'", "'A'", "'b'", "'B'", "'aB'", "'Ab'", "'a '", "''")
          .map(l => s"CAST($l AS STRING COLLATE $collation)")) {
    override def merges: Boolean = true
  }

  val plain: Seq[Kind] =
    Seq(Bool, Int32, Int64, Float32, Float64, Dec, Text, Day, Moment, Bytes, Struct)

  val collated: Seq[Kind] =
    Seq("UTF8_LCASE", "UNICODE_CI", "UTF8_BINARY_RTRIM", "UNICODE").map(Collated(_))
}

/**
 * A column as the query at hand sees it.
 *
 * @param merged
 *   some operation below has merged equal values (DISTINCT, GROUP BY, a set operation), so that
 *   which of them it is must not be asked: Spark gives no answer that can be relied on
 */
final case class Column(name: String, kind: Kind, merged: Boolean = false) {

  /** Whether only what respects equality may be asked of this column. */
  def opaque: Boolean = merged && kind.merges
}
