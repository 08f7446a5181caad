// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.expression

import io.sparksieve.differential.table.{Column, Kind}

/**
 * An expression that throws for rows for which its guards do not hold.
 *
 * @param guards
 *   conditions, each of which is sufficient to prevent the error
 */
final case class GuardedItem(expression: String, kind: Kind, guards: Seq[String])

/**
 * A value that no random table holds. An optimizer that learns it from one condition of a filter
 * may evaluate the other conditions for it.
 *
 * @param fixing
 *   conditions that hold for no other value of the column
 * @param failing
 *   conditions that throw for this value, and hardly for any other
 */
final case class AbsentValue(fixing: Seq[String], failing: Seq[String])

/** Expressions and conditions that throw for some rows, with the guards that drop those rows. */
object Guards {
  import Kind._

  /** Guarded expressions of a column. */
  def items(column: Column): Seq[GuardedItem] = {
    val c = column.name
    column.kind match {
      case Text =>
        val guards =
          Seq(s"$c IN ('1', '12')", s"try_cast($c AS INT) IS NOT NULL", s"$c RLIKE '^[0-9]+$$'")
        (s"CAST($c AS INT)" +: Udfs.named(Udfs.Parsed).map(f => s"$f($c)"))
          .map(GuardedItem(_, Int32, guards))
      case Int32 =>
        Seq(
          GuardedItem(s"10 % $c", Int32, Seq(s"$c <> 0", s"$c > 0", s"$c IN (1, 2, -1)")),
          GuardedItem(s"$c + 2147483647", Int32, Seq(s"$c <= 0", s"$c IN (0, -1)"))
        ) ++ Udfs
          .named(Udfs.Present)
          .map(f => GuardedItem(s"$f(CAST($c AS STRING))", Int32, Seq(s"$c IS NOT NULL")))
      case Float64 => Seq(GuardedItem(s"CAST($c AS INT)", Int32, Seq(s"$c IN (0.0D, 1.0D)")))
      case _ => Nil
    }
  }

  /** Pairs of a guard and a condition that throws in ANSI mode if the guard does not hold. */
  def conditions(column: Column): Seq[(String, String)] = {
    val c = column.name
    column.kind match {
      case Int32 | Int64 =>
        Seq(
          s"$c <> 0" -> s"10 / $c <> 2",
          s"$c <> 0" -> s"5 % $c <> 1",
          s"coalesce($c, 0) <> 0" -> s"10 / coalesce($c, 0) <> 2",
          s"nullif($c, 0) IS NOT NULL" -> s"7 % $c = 1",
          s"try_divide(10, $c) IS NOT NULL" -> s"10 / $c > 2",
          s"CASE WHEN $c = 0 THEN FALSE ELSE TRUE END" -> s"10 / $c > 2",
          // Spark never generates code for a function with a lambda.
          s"$c <> 0" -> s"exists(array($c), x -> 10 / x > 1)",
          s"try_multiply($c, 1000000000) IS NOT NULL" -> s"$c * 1000000000 <> 5",
          s"try_add($c, 2147483647) IS NOT NULL" -> s"$c + 2147483647 <> 5"
        ) ++ present(s"CAST($c AS STRING)", "> 0")
      case Dec => Seq(s"$c <> 0" -> s"10 / $c <> 2")
      case Float64 =>
        Seq(
          s"NOT isnan($c) AND $c < 100 AND $c > -100" -> s"CAST($c AS INT) = 0",
          s"try_cast($c AS INT) IS NOT NULL" -> s"CAST($c AS INT) <= 1"
        ) ++ present(s"CAST($c AS STRING)", "> 3")
      case Text =>
        Seq(
          s"$c RLIKE '^[0-9]+$$'" -> s"CAST($c AS INT) > 3",
          s"$c IN ('1', '12')" -> s"CAST($c AS BIGINT) = 1",
          s"try_cast($c AS INT) IS NOT NULL" -> s"CAST($c AS INT) > 1",
          s"CASE WHEN $c RLIKE '^[0-9]+$$' THEN TRUE ELSE FALSE END" -> s"CAST($c AS INT) > 1",
          s"nullif($c RLIKE '^[0-9]+$$', FALSE) IS NOT NULL" -> s"CAST($c AS INT) + 1 < 100",
          s"$c IS NOT NULL" -> s"assert_true($c IS NOT NULL) IS NULL"
        ) ++ present(c, "<> 2") ++
          Udfs.named(Udfs.Parsed).map(f => s"$c RLIKE '^[0-9]+$$'" -> s"$f($c) = 1")
      case Day =>
        Seq(s"$c < DATE'9999-01-01'" -> s"CAST($c AS TIMESTAMP) > TIMESTAMP'2020-02-01 00:00:00'")
      case _ => Nil
    }
  }

  /** An absent value of a column, if there is one for its kind. */
  def absent(column: Column): Option[AbsentValue] = {
    val c = column.name
    def value(v: String, failing: Seq[String], others: String*) = {
      val fixing = Seq(s"$c = $v", s"NOT ($c <> $v)", s"$c IN ($v)", s"$c <=> $v") ++ others
      Some(AbsentValue(fixing, failing))
    }
    column.kind match {
      case Int32 =>
        // 3.5 multiplies constants as soon as it has two of them, wherever they stand.
        val product = s"$c * 30000 <> 2"
        value("77077", Seq(s"10 / ($c % 100000 - 77077) <> 2", product), s"$c * 1L = 77077")
      case Int64 => value("77077L", Seq(s"10 / ($c % 100000 - 77077) <> 2"))
      case Text => value("'~'", Seq(s"10 / (ascii($c) - 126) <> 2"), s"$c LIKE '~'")
      case Day => value("DATE'1777-01-01'", Seq(s"10 / (year($c) - 1777) <> 2"))
      case _ => None
    }
  }

  /** Conditions on a function that throws for NULL, each with a guard. */
  private def present(value: String, condition: String): Seq[(String, String)] =
    Udfs.named(Udfs.Present).map(f => s"$value IS NOT NULL" -> s"$f($value) $condition")
}
