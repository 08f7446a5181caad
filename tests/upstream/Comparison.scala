// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

/**
 * A test that fails with Sieve, but not without Sieve.
 *
 * @param reason
 *   the reason from the list of exceptions, if the failure is on it
 */
final case class Difference(suite: String, test: String, message: String, reason: Option[String]) {

  def show: String = s"$suite - $test: ${reason.fold(message)(why => s"excepted: $why")}"
}

/** The tests of some suites without Sieve (`off`) and with it (`on`). */
final case class Comparison(
    off: Seq[SuiteResult],
    on: Seq[SuiteResult],
    differences: Seq[Difference],
    needless: Seq[Exceptions.Entry]) {

  /** The differences that no exception explains. */
  def alarms: Seq[Difference] = differences.filter(_.reason.isEmpty)

  /** Whether the test of `alarm` is an alarm here too, or its suite failed outside its tests. */
  def repeats(alarm: Difference): Boolean = alarms.exists { d =>
    d.suite == alarm.suite && (d.test == alarm.test || d.test == SuiteResult.Itself)
  }
}

object Comparison {

  /**
   * Compares suites by name. A suite that ran fewer tests than without Sieve fails: a test that did
   * not run did not pass.
   */
  def apply(
      off: Seq[SuiteResult],
      on: Seq[SuiteResult],
      exceptions: Seq[Exceptions.Entry]): Comparison = {
    val before = off.map(result => result.suite -> result).toMap
    val differences = for {
      result <- on
      without = before.get(result.suite)
      (test, message) <- result.failed.toSeq.sorted ++ fewer(without, result)
      if !without.exists(_.failed.contains(test))
      exception = exceptions.find(_.explains(result.suite, test, message))
    } yield Difference(result.suite, test, message, exception.map(_.reason))
    val needless = exceptions.filter { e =>
      on.exists(result => e.isIn(Suite(result.suite, cost = 0))) &&
      !differences.exists(d => e.explains(d.suite, d.test, d.message))
    }
    Comparison(off, on, differences, needless)
  }

  private def fewer(off: Option[SuiteResult], on: SuiteResult): Option[(String, String)] =
    off
      .filter(o => on.tests < o.tests && !on.failed.contains(SuiteResult.Itself))
      .map(o => SuiteResult.Itself -> s"${on.tests} tests, without Sieve ${o.tests}")
}
