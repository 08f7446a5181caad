/** Shares suites out among JVMs by the time that they take, so that the JVMs end together. */
object SuiteTimes {

  /**
   * Seconds of the slowest suites in a run of all on 4.2, by the ends of their names. They only
   * balance the JVMs: `verify` prints the slowest suites, and a suite that is missing here, or has
   * another time by now, makes a run longer and not wrong.
   */
  private val measured: Map[String, Int] = Map(
    "dynamicfilter.DeltaSmokeSuite" -> 110,
    "setop.sources.LossyPushdownSuite" -> 110,
    "setop.AnsiSuite" -> 110,
    "advice.DeltaAdviceSuite" -> 95,
    "bulkfilter.JoinFormSuite" -> 90,
    "common.RegistryCannotFailSuite" -> 85,
    "bulkfilter.FuseMembershipTreesSuite" -> 75,
    "dynamicfilter.InjectDynamicFilterSuite" -> 73,
    "advice.ConditionSuite" -> 70,
    "setop.sources.CachedFilesSuite" -> 65,
    "bulkfilter.MergeLeavesSuite" -> 65,
    "setop.OuterQuerySuite" -> 60,
    "setop.sources.DeltaSmokeSuite" -> 60,
    "dynamicfilter.KeyTypesSuite" -> 60,
    "dynamicfilter.UnstableSourceSuite" -> 55,
    "setop.sources.ParseModesSuite" -> 50,
    "dynamicfilter.RecursionSuite" -> 50,
    "bulkfilter.KeyTypesOfFilesSuite" -> 45,
    "adaptivefilter.EvaluationModesSuite" -> 45,
    "setop.EqualValuesSuite" -> 40,
    "bench.BenchSuite" -> 40,
    "adaptivefilter.DisjunctsSuite" -> 40,
    "advice.ParquetAdviceSuite" -> 35,
    "setop.ReplaceExceptWithNotFilterSuite" -> 35,
    "dynamicfilter.DynamicFilterReasonsSuite" -> 30,
    "bulkfilter.ValuesOfFilesSuite" -> 25,
    "dynamicfilter.SparkSwitchesSuite" -> 25,
    "setop.sources.FileSourcesSuite" -> 25
  )

  /** The average of the others. */
  private val Other = 7

  private def seconds(suite: String): Int =
    measured
      .collectFirst { case (name, time) if suite.endsWith(s".$name") => time }
      .getOrElse(Other)

  /** The names of each JVM's suites, the slowest first. */
  def shares(suites: Seq[String], jvms: Int): Seq[Seq[String]] = {
    val none = Vector.fill(jvms)((Vector.empty[String], 0))
    val sorted = suites.sortBy(suite => (-seconds(suite), suite))
    val shared = sorted.foldLeft(none) { (shares, suite) =>
      val least = shares.map(_._2).zipWithIndex.min._2
      val (names, total) = shares(least)
      shares.updated(least, (names :+ suite, total + seconds(suite)))
    }
    shared.map(_._1)
  }
}
