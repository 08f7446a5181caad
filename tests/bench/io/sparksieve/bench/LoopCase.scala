// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

/**
 * Compares implementations of the same work in this process, without a query plan.
 *
 * @param description
 *   what the code does, for the reports
 * @param prepare
 *   makes the data and returns the implementations: their names, including `Variant.Off` and
 *   `Variant.On`, and code that returns a result, which must be the same for all
 * @param target
 *   the target: at least this ratio off/on
 */
final case class LoopCase(
    name: String,
    about: String,
    description: String,
    target: Option[Double] = None)(prepare: Bench => Seq[(String, () => Long)])
    extends Case {

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    val ways = prepare(bench)
    val code = ways.toMap
    // These two runs check the results, and warm up the JVM.
    val answers = ways.map { case (way, run) => way -> Seq(run(), run()).distinct }
    val expected = answers.toMap.apply(Variant.Off)
    val timings = Rounds(ways.map(_._1), bench.options.runs) { way =>
      System.gc()
      Rounds.milliseconds {
        code(way)()
        ()
      }
    }
    CaseResult(
      CaseResult.Query,
      name,
      about,
      target,
      Map.empty,
      description,
      ways.map { case (way, _) => CaseResult.OfVariant(way, timings(way), None, "") },
      expected.headOption,
      answers.collect {
        case (way, found) if found != expected || found.length > 1 =>
          s"other answers: '$way' gave ${found.mkString(", ")}, off gave ${expected.mkString(", ")}"
      }
    )
  }
}
