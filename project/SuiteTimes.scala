// SPDX-License-Identifier: Apache-2.0
/**
 * Shares suites out among JVMs by the time that they take, so that the JVMs end together, and says
 * which suites a check of a change leaves out for their time.
 */
object SuiteTimes {

  /**
   * Suites that try every combination, of types with sources, of functions with types, or of forms
   * with modes, and take a minute or so each, by the ends of their names. `verify --all` runs a third
   * of them, and `verify` none.
   */
  private val exhaustive: Seq[String] = Seq(
    "adaptivefilter.DisjunctsSuite",
    "adaptivefilter.EvaluationModesSuite",
    "advice.ConditionSuite",
    "advice.DeltaAdviceSuite",
    "bulkfilter.FuseMembershipTreesSuite",
    "bulkfilter.JoinFormSuite",
    "bulkfilter.MergeLeavesSuite",
    "common.RegistryCannotFailSuite",
    "dynamicfilter.NestedKeysSuite",
    "setop.AnsiSuite",
    "setop.CachedRewritesSuite",
    "setop.sources.CachedFilesSuite",
    "setop.sources.LossyPushdownSuite"
  )

  private def isExhaustive(suite: String): Boolean =
    exhaustive.exists(name => suite.endsWith(s".$name"))

  /** The names of suites without the exhaustive ones, each of which must be among them. */
  def withoutExhaustive(suites: Seq[String]): Seq[String] = {
    val missing = exhaustive.filterNot(name => suites.exists(_.endsWith(s".$name")))
    if (missing.nonEmpty)
      sys.error(s"project/SuiteTimes.scala names suites that there are not: $missing")
    suites.filterNot(isExhaustive)
  }

  /** The names of suites without the exhaustive ones that are of another part. */
  def withSomeExhaustive(suites: Seq[String], part: Part): Seq[String] =
    withoutExhaustive(suites) ++ part.of(suites.filter(isExhaustive).sortBy(-seconds(_)))

  /** A part of each JVM's suites, of which the slowest come first, so that the JVMs end together. */
  def partOfEach(suites: Seq[String], jvms: Int, part: Part): Seq[String] =
    shares(suites, jvms).flatMap(part.of(_))

  /**
   * Seconds of the slowest suites in a run of all on 4.2, by the ends of their names. They only
   * balance the JVMs: `verify` prints the slowest suites, and a suite that is missing here, or has
   * another time by now, makes a run longer and not wrong.
   */
  private val measured: Map[String, Int] = Map(
    "setop.CachedRewritesSuite" -> 123,
    "dynamicfilter.DeltaSmokeSuite" -> 113,
    "setop.sources.DeltaSmokeSuite" -> 94,
    "dynamicfilter.NestedKeysSuite" -> 94,
    "advice.DeltaAdviceSuite" -> 87,
    "setop.sources.LossyPushdownSuite" -> 81,
    "bulkfilter.JoinFormSuite" -> 74,
    "common.RegistryCannotFailSuite" -> 69,
    "setop.FoldedConstantsSuite" -> 67,
    "setop.values.NegativeZeroSuite" -> 60,
    "bulkfilter.FuseMembershipTreesSuite" -> 56,
    "setop.AnsiSuite" -> 54,
    "adaptivefilter.DisjunctsSuite" -> 50,
    "bulkfilter.MergeLeavesSuite" -> 48,
    "setop.sources.CachedFilesSuite" -> 47,
    "advice.ConditionSuite" -> 43,
    "adaptivefilter.EvaluationModesSuite" -> 41,
    "setop.OuterQuerySuite" -> 34,
    "dynamicfilter.UnstableSourceSuite" -> 34,
    "dynamicfilter.KeyTypesSuite" -> 34,
    "bulkfilter.KeyTypesOfFilesSuite" -> 32,
    "dynamicfilter.InjectDynamicFilterSuite" -> 30,
    "advice.ParquetAdviceSuite" -> 24,
    "setop.sources.ParseModesSuite" -> 22,
    "dynamicfilter.ExactPushdownSuite" -> 22,
    "bench.BenchSuite" -> 22,
    "dynamicfilter.DynamicFilterReasonsSuite" -> 21,
    "bulkfilter.BulkFilterRunSuite" -> 21,
    "setop.values.EqualValuesSuite" -> 14,
    "dynamicfilter.RecursionSuite" -> 20,
    "setop.ReplaceExceptWithNotFilterSuite" -> 19,
    "dynamicfilter.SparkSwitchesSuite" -> 19,
    "adaptivefilter.AdaptiveFilterSuite" -> 19,
    "setop.sources.FileSourcesSuite" -> 17,
    "setop.ReplaceSetOpWithCountsSuite" -> 17,
    "bulkfilter.ValuesOfFilesSuite" -> 17,
    "setop.sources.PartitionedSourcesSuite" -> 16,
    "pushdown.FilePushdownSuite" -> 15
  )

  /** The average of the others. */
  private val Other = 4

  private def seconds(suite: String): Int =
    measured
      .collectFirst { case (name, time) if suite.endsWith(s".$name") => time }
      .getOrElse(Other)

  /**
   * The names of each JVM's suites, the slowest first. The JVMs also end together when the
   * exhaustive suites are left out.
   */
  def shares(suites: Seq[String], jvms: Int): Seq[Seq[String]] = {
    val none = Vector.fill(jvms)((Vector.empty[String], 0))
    def time(suite: String) = (-seconds(suite), suite)
    val shared = suites.partition(isExhaustive) match {
      case (some, others) =>
        (others.sortBy(time) ++ some.sortBy(time)).foldLeft(none) { (shares, suite) =>
          val least = shares.map(_._2).zipWithIndex.min._2
          val (names, total) = shares(least)
          shares.updated(least, (names :+ suite, total + seconds(suite)))
        }
    }
    shared.map(_._1.sortBy(time))
  }
}
