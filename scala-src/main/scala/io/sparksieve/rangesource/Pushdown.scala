// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.rangesource

import java.util.Locale

/** The mode in which the source handles filters, limits and aggregates. */
private[sparksieve] sealed abstract class Pushdown(val name: String)
    extends Product
    with Serializable

private[sparksieve] object Pushdown {

  /** Filters that key ranges express are pushed to the engine; the adapter evaluates the others. */
  case object Push extends Pushdown("push")

  /** All records are requested from the engine, and the adapter evaluates the filters. */
  case object Evaluate extends Pushdown("evaluate")

  /** Spark evaluates the filters. */
  case object Leave extends Pushdown("none")

  val All: Seq[Pushdown] = Seq(Push, Evaluate, Leave)

  def named(name: String): Option[Pushdown] = All.find(_.name == name.toLowerCase(Locale.ROOT))
}
