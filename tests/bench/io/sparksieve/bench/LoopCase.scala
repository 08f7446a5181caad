package io.sparksieve.bench

/**
 * The same work done by two pieces of code of this process, without a plan to change.
 *
 * @param description
 *   what the code does, for the reports
 * @param prepare
 *   makes the data and yields the ways: their names, `Variant.Off` and `Variant.On` among them,
 *   and code that yields an answer, which must be the same for all
 * @param target
 *   the ratio off/on that is wished for
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
    // Running each twice to see its answer is the warm-up too.
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
