// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.sparksieve.adaptivefilter.learn.{
  ExpectedCost,
  GreedyPolicy,
  OrderPolicy,
  RankPolicy,
  Sample
}
import io.sparksieve.adaptivefilter.predicate.Precedence

/** The orders that policies find from recorded samples, without Spark, and their costs. */
class OrderPolicySuite extends AnyFunSuite {

  private def free(n: Int) = Precedence(n, fallible = 0L, steady = n)

  /**
   * A sample of rows. Each element of `dropped` is the bitmask of the predicates that drop the row;
   * each evaluation of predicate `k` takes `costs(k)` nanoseconds.
   */
  private def sample(costs: Seq[Long], dropped: Seq[Long]): Sample =
    Sample(
      dropped.toArray,
      sampled = -1L,
      Array.fill(costs.size)(dropped.size.toLong),
      costs.indices.map(k => dropped.count(d => (d >> k & 1L) == 1).toLong).toArray,
      costs.map(_ * dropped.size).toArray
    )

  /** Bitmasks of random rows; each predicate passes rows at its own rate, independently. */
  private def independent(rates: Seq[Double], rows: Int, seed: Int): Seq[Long] = {
    val random = new Random(seed)
    Seq.fill(rows)(rates.zipWithIndex.collect {
      case (rate, k) if random.nextDouble() >= rate => 1L << k
    }.sum)
  }

  private def cost(s: Sample, costs: Seq[Long], order: Array[Int]): Double =
    s.dropped.map { d =>
      val dropping = order.indexWhere(k => (d >> k & 1L) == 1)
      order.take(if (dropping < 0) order.length else dropping + 1).map(costs(_)).sum.toDouble
    }.sum

  private def cheapest(precedence: Precedence, s: Sample, costs: Seq[Long]): Double =
    precedence.written.toSeq.permutations
      .map(_.toArray)
      .filter(precedence.allows)
      .map(cost(s, costs, _))
      .min

  private def policies(p: Precedence): Seq[(String, () => OrderPolicy)] =
    Seq("greedy" -> (() => new GreedyPolicy(p)), "rank" -> (() => new RankPolicy(p, 0.3)))

  test("the selective and the cheap first, from every order: both policies") {
    val costs = Seq(100L, 5L, 20L, 5L)
    val s = sample(costs, independent(Seq(0.5, 0.5, 0.1, 0.9), 4000, 1))
    for ((name, make) <- policies(free(4)); start <- (0 to 3).permutations) {
      val policy = make()
      policy.learn(s)
      val found = policy.order(start.toArray)
      assert(cost(s, costs, found) <= 1.05 * cheapest(free(4), s, costs), name)
    }
  }

  test("predicates that drop the same rows: greedy is within a tenth of the best, rank is not") {
    // Predicates 0 and 1 drop the same half of the rows; predicate 2 drops 40 % of all rows.
    val random = new Random(3)
    val dropped = Seq.fill(4000) {
      val same = if (random.nextBoolean()) 3L else 0L
      same | (if (random.nextInt(10) < 4) 4L else 0L)
    }
    val costs = Seq(10L, 11L, 10L)
    val s = sample(costs, dropped)
    val best = cheapest(free(3), s, costs)
    val found = policies(free(3)).map { case (name, make) =>
      val p = make()
      p.learn(s)
      name -> cost(s, costs, p.order(Array(1, 0, 2)))
    }.toMap
    assert(found("greedy") <= 1.05 * best)
    assert(found("rank") > 1.1 * best)
  }

  test("what may fail keeps after all that was written before it") {
    val precedence = Precedence(4, fallible = 1L << 1, steady = 4)
    val costs = Seq(50L, 1L, 50L, 1L)
    val s = sample(costs, independent(Seq(0.9, 0.01, 0.9, 0.5), 4000, 5))
    for ((name, make) <- policies(precedence)) {
      val policy = make()
      policy.learn(s)
      val found = policy.order(precedence.written)
      assert(precedence.allows(found), s"$name: ${found.mkString(", ")}")
      assert(found.indexOf(0) < found.indexOf(1), name)
      assert(found.head == 3, name)
    }
    assert(!precedence.allows(Array(1, 0, 2, 3)))
    assert(!precedence.allows(Array(0, 0, 2, 3)))
    assert(!precedence.allows(Array(0, 1, 2)))
  }

  test("from the first random predicate on the written order is kept") {
    val precedence = Precedence(4, fallible = 0L, steady = 2)
    assert(precedence.allows(Array(1, 0, 2, 3)))
    for (moved <- Seq(Array(0, 2, 1, 3), Array(0, 1, 3, 2), Array(2, 0, 1, 3)))
      assert(!precedence.allows(moved), moved.mkString(", "))
  }

  test("greedy: an order that is hardly better is not taken") {
    val costs = Seq(100L, 98L)
    val s = sample(costs, independent(Seq(0.5, 0.5), 4000, 7))
    val policy = new GreedyPolicy(free(2))
    policy.learn(s)
    assert(policy.order(Array(0, 1)).toSeq == Seq(0, 1))
    assert(policy.order(Array(1, 0)).toSeq == Seq(1, 0))
  }

  test("greedy: one measurement that was disturbed changes nothing, drift does") {
    val policy = new GreedyPolicy(free(2))
    val rows = independent(Seq(0.2, 0.8), 256, 9)
    policy.learn(sample(Seq(10L, 10L), rows))
    assert(policy.order(Array(1, 0)).toSeq == Seq(0, 1))
    policy.learn(sample(Seq(5000L, 10L), rows))
    assert(policy.order(Array(0, 1)).toSeq == Seq(0, 1))
    val flipped = independent(Seq(0.8, 0.2), 256, 11)
    (1 to 16).foreach(_ => policy.learn(sample(Seq(10L, 10L), flipped)))
    assert(policy.order(Array(0, 1)).toSeq == Seq(1, 0))
  }

  test("greedy: answers that cannot be of the same data put what was before aside at once") {
    val policy = new GreedyPolicy(free(2))
    def learn(times: Int, dropped: Int => Long, cost: Long) =
      (1 to times).foreach(_ => policy.learn(sample(Seq(cost, 10L), (0 until 100).map(dropped))))
    learn(16, _ => 1L, cost = 10)
    assert(policy.order(Array(1, 0)).toSeq == Seq(0, 1))
    learn(2, _ => 2L, cost = 20)
    assert(policy.order(Array(0, 1)).toSeq == Seq(1, 0), "two samples show it")
    learn(1, _ => 2L, cost = 20)
    assert(policy.passRates.toSeq == Seq(1.0, 0.0), "what passed before is forgotten")
    assert(policy.costs.toSeq == Seq(10.0, 10.0), "the cost of evaluating is not")
  }

  test("greedy: answers that differ by chance are of the same data") {
    val policy = new GreedyPolicy(free(1))
    def learn(times: Int, drops: Int) = (1 to times).foreach { _ =>
      policy.learn(sample(Seq(10L), (0 until 100).map(row => if (row < drops) 1L else 0L)))
    }
    learn(14, 50)
    learn(2, 65)
    assert(math.abs(policy.passRates.head - (1 - (14 * 0.5 + 2 * 0.65) / 16)) < 1e-9)
  }

  test("greedy: a long past is forgotten") {
    val policy = new GreedyPolicy(free(2))
    val (first, second) = (Seq.fill(100)(1L), Seq.fill(100)(2L))
    (1 to 100).foreach(_ => policy.learn(sample(Seq(10L, 10L), first)))
    assert(policy.order(Array(1, 0)).toSeq == Seq(0, 1))
    (1 to 16).foreach(_ => policy.learn(sample(Seq(10L, 10L), second)))
    assert(policy.order(Array(0, 1)).toSeq == Seq(1, 0))
    assert(policy.passRates.toSeq == Seq(1.0, 0.0))
  }

  test("greedy: more predicates than all orders can be compared of") {
    val n = 16
    val costs = (0 until n).map(k => 1L + k % 5)
    val s = sample(costs, independent((0 until n).map(k => 0.05 + 0.06 * k), 2000, 13).reverse)
    val policy = new GreedyPolicy(free(n))
    policy.learn(s)
    val written = (0 until n).reverse.toArray
    val found = policy.order(written)
    assert(free(n).allows(found))
    assert(cost(s, costs, found) < 0.5 * cost(s, costs, written))
  }

  test("the best of all orders is what trying each finds") {
    val random = new Random(17)
    for (round <- 1 to 50) {
      val n = 2 + random.nextInt(4)
      val precedence = Precedence(n, random.nextInt(1 << n).toLong, 1 + random.nextInt(n))
      val costs = Seq.fill(n)(1L + random.nextInt(50))
      val s = sample(costs, Seq.fill(300)(random.nextInt(1 << n).toLong & random.nextInt(1 << n)))
      val expected = new ExpectedCost(
        precedence,
        s.dropped,
        costs.map(_.toDouble).toArray,
        Array.fill(n)(0.5),
        _ => true)
      val best = cheapest(precedence, s, costs)
      assert(math.abs(cost(s, costs, expected.best) - best) < 1e-6, round)
      assert(precedence.allows(expected.greedy), round)
    }
  }

  test("rank: momentum keeps a part of the rank before") {
    def policy(momentum: Double) = {
      val p = new RankPolicy(free(2), momentum)
      p.learn(sample(Seq(10L, 10L), independent(Seq(0.1, 0.5), 1000, 19)))
      assert(p.order(Array(1, 0)).toSeq == Seq(0, 1))
      // Now the other predicate drops slightly more rows.
      p.learn(sample(Seq(10L, 10L), independent(Seq(0.42, 0.4), 1000, 21)))
      p.order(Array(0, 1)).toSeq
    }
    assert(policy(0.0) == Seq(1, 0))
    assert(policy(0.9) == Seq(0, 1))
  }

  test("rank: what drops nothing comes last, and nothing is known without samples") {
    val p = new RankPolicy(free(2), 0.3)
    assert(p.order(Array(0, 1)).toSeq == Seq(0, 1))
    p.learn(sample(Seq(1L, 100L), Seq.fill(100)(2L)))
    assert(p.order(Array(0, 1)).toSeq == Seq(1, 0))
  }
}
