// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report.core

/**
 * A layer that handles a predicate of a scan. Several layers may handle one predicate: most sources
 * only skip what they can, and Spark evaluates the predicate again on each row.
 *
 * @param name
 *   the stable name in reports
 * @param meaning
 *   one sentence for the user
 */
private[sparksieve] sealed abstract class Layer(val name: String, val meaning: String)
    extends Product
    with Serializable

private[sparksieve] object Layer {
  case object Skipped
      extends Layer("skipped", "Partitions, files or batches without such rows are not read.")
  case object Pushed extends Layer("pushed", "The source was given the predicate.")
  case object Evaluated
      extends Layer("evaluated", "The code that reads the source drops the rows before Spark.")
  case object Spark extends Layer("spark", "Spark evaluates it for each row that the scan returns.")
  case object NotKnown extends Layer("not-known", "It could not be found out.")

  /** All layers, from the source up to Spark. */
  val all: Seq[Layer] = Seq(Skipped, Pushed, Evaluated, Spark, NotKnown)
}
