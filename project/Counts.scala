// SPDX-License-Identifier: Apache-2.0
/**
 * The numbers of tests that passed, failed, or were skipped (ignored, pending or cancelled), and a
 * line for each failure that is known.
 */
final case class Counts(passed: Int, failed: Int, skipped: Int = 0, failures: Seq[String] = Nil) {

  def +(other: Counts): Counts =
    Counts(
      passed + other.passed,
      failed + other.failed,
      skipped + other.skipped,
      failures ++ other.failures)

  /** A run that failed without a failed test, or ran none, counts as one failure. */
  def judged(ok: Boolean): Counts =
    if (failed == 0 && (!ok || passed == 0)) this + Counts(0, 1) else this
}
