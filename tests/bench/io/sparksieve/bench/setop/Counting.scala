// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.setop

import io.sparksieve.bench.{Case, CaseGroup, QueryCase}
import io.sparksieve.conf.SieveConf

/**
 * Filters on columns that are not in the output: one scan counts the rows of both sides. Includes
 * cases that become slower, as evidence for the default of the size gate; here the gate is open.
 */
object Counting extends CaseGroup {

  override def position: Int = 3

  /** Applies the counting rewrite to sources of any size. */
  val OpenGate: Map[String, String] = Map(SieveConf.SETOP_COUNTING_MIN_SCAN_BYTES.key -> "0")

  override def cases(rows: Long): Seq[Case] = {
    val flights = Flights.parquet(rows)
    val small = Flights.small(rows)
    for {
      operation <- Seq("EXCEPT", "EXCEPT ALL", "INTERSECT", "INTERSECT ALL")
      output <- Outputs
      sides <- Sides if informative(operation, output, sides)
    } yield {
      val table = if (sides.small) small else flights
      val name = operation.toLowerCase(java.util.Locale.ROOT).replace(' ', '-')
      def side(where: String) = s"SELECT ${output.columns} FROM ${table.view} WHERE $where"
      QueryCase(
        s"counting/$name/${output.name}/${sides.name}",
        s"$operation, ${output.about}, ${sides.about}",
        Seq(table),
        s"${side(sides.left)} $operation ${side(sides.right)}",
        "ReplaceSetOpWithCounts",
        conf = OpenGate,
        target =
          if (output == Outputs(1) && sides == Sides.head && operation == "EXCEPT") Some(8.7 / 6.3)
          else None
      )
    }
  }

  /**
   * Whether to run a case of the matrix, all of which would take hours: the ALL forms and the
   * medium output run only where they may differ from the others.
   */
  private def informative(operation: String, output: Output, sides: Split): Boolean =
    sides == Sides.head ||
      (output != Outputs(1) && (!operation.endsWith("ALL") || sides.name == "tiny-left"))

  /** The compared columns: the number of distinct rows determines the cost of grouping. */
  private final case class Output(name: String, about: String, columns: String)

  private val Outputs = Seq(
    Output("few", "some hundred different rows", Flights.renamed("origin", "dest")),
    Output("many", "400,000 different rows", Flights.renamed("tailnum", "dest")),
    Output(
      "all",
      "nearly all rows different",
      Flights.renamed("day", "dep_time", "tailnum", "dest", "distance", "delay"))
  )

  /** The filters of both sides. */
  private final case class Split(
      name: String,
      about: String,
      left: String,
      right: String,
      small: Boolean = false)

  private val Sides: Seq[Split] = Seq(
    Split("halves", "two overlapping halves", "month < 7", "month > 3"),
    Split("tiny-left", "a left side of few rows", "flight = 17", "month > 3"),
    Split("tiny-right", "a right side of few rows", "month < 7", "flight = 17"),
    Split("tiny-both", "two sides of few rows", "flight = 17", "flight < 19 AND flight > 16"),
    Split("small", "a table that is broadcast", "month < 7", "month > 3", small = true)
  )
}
