package io.sparksieve.report.pushdown

/**
 * Where a predicate of a scan is dealt with. One predicate may be dealt with in several layers: most
 * sources only skip by it what they can, and Spark asks each row again.
 *
 * @param name
 *   the stable name in reports
 * @param meaning
 *   one sentence for the user
 */
sealed abstract class Layer(val name: String, val meaning: String) extends Product with Serializable

object Layer {
  case object Skipped
      extends Layer("skipped", "Partitions, files or batches without such rows are not read.")
  case object Pushed extends Layer("pushed", "The source was given the predicate.")
  case object Evaluated
      extends Layer("evaluated", "The code that reads the source drops the rows before Spark.")
  case object Spark extends Layer("spark", "Spark asks each row that the scan gives.")
  case object NotKnown extends Layer("not-known", "It could not be found out.")

  /** From the source up to Spark. */
  val all: Seq[Layer] = Seq(Skipped, Pushed, Evaluated, Spark, NotKnown)
}
