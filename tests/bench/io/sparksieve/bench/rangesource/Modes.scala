// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.rangesource

import io.sparksieve.bench.{Bench, Case, CaseGroup, Variant}
import io.sparksieve.rangesource.Pushdown

/**
 * Queries like those of document 004, in each mode, through DSv1 and DSv2. Off is mode `none`, in
 * which Spark filters, and on is mode `push`, both through DSv2. The source computes its rows, so a
 * case needs no disk space; the source is meant for `--rows 100_000_000`.
 */
object Modes extends CaseGroup {

  override def position: Int = 1

  override def cases(rows: Long): Seq[Case] = {
    val many = rows / 5 * 4
    val square = BigInt(rows / 2).pow(2)
    val hundred = (1L to 100L).map(_ * rows / 100).mkString(", ")
    // From 3,000,000 rows on, the sum of the squares themselves exceeds a BIGINT.
    val sums = "SELECT count(*) AS n, sum(val) AS v, sum(squared % 1000) AS s FROM r"
    def modes(name: String, about: String, sql: String) =
      ModeCase(s"modes/$name", about, sql, ways(rows))
    Seq(
      modes("keys", "a range of keys", s"$sums WHERE val <= $many"),
      modes("few", "a hundred keys", s"$sums WHERE val IN ($hundred)"),
      modes(
        "squares",
        "a range of keys and one of squares",
        s"$sums WHERE val <= $many AND squared >= $square"),
      modes(
        "either",
        "an OR of keys and squares",
        s"$sums WHERE val <= ${rows / 10} OR squared >= $square"),
      modes("left", "what no source takes", s"$sums WHERE val <= $many AND val % 10 = 3"),
      modes(
        "top",
        "the comment's ORDER BY LIMIT",
        s"SELECT val, cubed FROM r WHERE val <= $many AND squared >= $square ORDER BY val LIMIT 4"),
      modes("count", "a COUNT", s"SELECT count(*) AS n FROM r WHERE squared >= $square")
    )
  }

  private def ways(rows: Long) =
    for {
      (format, interface) <- Seq("rangedb" -> "", "rangedb-v1" -> "first interface, ")
      pushdown <- Seq(Pushdown.Leave, Pushdown.Push, Pushdown.Evaluate)
    } yield {
      val name = (interface, pushdown) match {
        case ("", Pushdown.Leave) => Variant.Off
        case ("", Pushdown.Push) => Variant.On
        case _ => s"$interface${pushdown.name}"
      }
      name -> { (bench: Bench) =>
        bench.extended.read
          .format(format)
          .option("rows", rows)
          .option("partitions", 4)
          .option("pushdown", pushdown.name)
          .load()
      }
    }
}
