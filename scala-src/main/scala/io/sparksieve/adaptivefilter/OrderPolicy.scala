package io.sparksieve.adaptivefilter

/**
 * Learns from samples in which order predicates should be asked. An instance serves one filter on
 * one executor; it is not safe for several threads at a time.
 */
trait OrderPolicy {

  /** Takes account of a sample. */
  def learn(sample: Sample): Unit

  /** The order to use from now on, which may be `current` itself. */
  def order(current: Array[Int]): Array[Int]

  /** Share of the rows asked of it that each predicate lets pass, as far as is known; else NaN. */
  def passRates: Array[Double]

  /** Nanoseconds that one evaluation of each predicate takes, as far as is known; else NaN. */
  def costs: Array[Double]
}

object OrderPolicy {

  /** Names of policies, as their knob has them. */
  val Rank = "rank"
  val Greedy = "greedy"
  val names: Seq[String] = Seq(Greedy, Rank)

  def apply(settings: PolicySettings, precedence: Precedence): OrderPolicy = settings.policy match {
    case Rank => new RankPolicy(precedence, settings.momentum)
    case _ => new GreedyPolicy(precedence)
  }
}

/**
 * The knobs of the room as they were when the query was planned.
 *
 * @param collectRate
 *   policy `rank`: one row in so many is sampled
 * @param calculateRate
 *   policy `rank`: rows of a task between two calculations of ranks
 * @param momentum
 *   policy `rank`: share of a predicate's rank that is kept from the calculation before, in [0, 1)
 * @param verbose
 *   whether each new order is logged
 */
final case class PolicySettings(
    policy: String,
    collectRate: Int,
    calculateRate: Int,
    momentum: Double,
    verbose: Boolean)
