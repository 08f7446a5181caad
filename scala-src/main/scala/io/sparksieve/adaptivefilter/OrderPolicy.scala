package io.sparksieve.adaptivefilter

/**
 * Learns from samples in which order predicates should be evaluated. An instance serves one filter
 * in one executor or in one task. Not thread-safe.
 */
trait OrderPolicy {

  /** Learns from a sample. */
  def learn(sample: Sample): Unit

  /** The order to use from now on, which may be `current` itself. */
  def order(current: Array[Int]): Array[Int]

  /** For each predicate, the share of evaluated rows that pass; NaN if not known. */
  def passRates: Array[Double]

  /** For each predicate, the nanoseconds of one evaluation; NaN if not known. */
  def costs: Array[Double]
}

object OrderPolicy {

  /** Names of policies, as in the config. */
  val Rank = "rank"
  val Greedy = "greedy"
  val names: Seq[String] = Seq(Greedy, Rank)

  def apply(settings: PolicySettings, precedence: Precedence): OrderPolicy = settings.policy match {
    case Rank => new RankPolicy(precedence, settings.momentum)
    case _ => new GreedyPolicy(precedence)
  }
}

/**
 * The configs of the feature as they were when the query was planned.
 *
 * @param collectRate
 *   policy `rank`: one row in this many is sampled
 * @param calculateRate
 *   policy `rank`: rows of a task between two calculations of ranks
 * @param momentum
 *   policy `rank`: share of a predicate's previous rank that is kept in a calculation, in [0, 1)
 * @param verbose
 *   whether each new order is logged
 */
final case class PolicySettings(
    policy: String,
    collectRate: Int,
    calculateRate: Int,
    momentum: Double,
    verbose: Boolean)
