package io.sparksieve.rangesource

import java.util.Locale

/** What is done with filters, limits and aggregates. */
sealed abstract class Pushdown(val name: String) extends Product with Serializable

object Pushdown {

  /** What can be said in ranges of keys is asked of the engine; what cannot, the adapter evaluates. */
  case object Push extends Pushdown("push")

  /** The engine is asked for all records, and the adapter evaluates. */
  case object Evaluate extends Pushdown("evaluate")

  /** Spark filters. */
  case object Leave extends Pushdown("none")

  val All: Seq[Pushdown] = Seq(Push, Evaluate, Leave)

  def named(name: String): Option[Pushdown] = All.find(_.name == name.toLowerCase(Locale.ROOT))
}
