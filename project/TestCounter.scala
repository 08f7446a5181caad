// SPDX-License-Identifier: Apache-2.0
import sbt.*
import sbt.testing.{Event, Status, TestSelector}

/**
 * Counts the tests of a line's forked suites from their events, because the JUnit reports that sbt
 * writes do not distinguish a cancelled test from one that passed. Also sums the times of suites.
 */
final class TestCounter(line: SparkLine) extends TestReportListener {

  private def add(more: Counts): Unit = TestCounter.add(line, more)

  override def startGroup(name: String): Unit = ()

  override def testEvent(event: TestEvent): Unit = event.detail.foreach { test =>
    TestCounter.took(line, test.fullyQualifiedName, math.max(0, test.duration))
    test.status match {
      case Status.Success => add(Counts(1, 0))
      case Status.Failure | Status.Error => add(Counts(0, 1, failures = Seq(failure(test))))
      case _ => add(Counts(0, 0, skipped = 1))
    }
  }

  /** The suite itself failed, outside its tests. */
  override def endGroup(name: String, error: Throwable): Unit =
    add(Counts(0, 1, failures = Seq(s"$name: $error")))

  private def failure(test: Event): String = {
    val name = test.selector match {
      case selector: TestSelector => s" - ${selector.testName}"
      case _ => ""
    }
    val why = if (test.throwable.isDefined) s": ${test.throwable.get.getMessage}" else ""
    (test.fullyQualifiedName + name + why).take(TestCounter.MaxChars)
  }

  override def endGroup(name: String, result: TestResult): Unit = ()
}

object TestCounter {

  /** The maximum length of a failure's text: enough to see the cause, but not a whole plan. */
  private val MaxChars = 600

  private var counts = Map.empty[String, Counts]

  /** Returns the counts of a line since the last call, and resets them. */
  def take(line: SparkLine): Counts = synchronized {
    val taken = counts.getOrElse(line.id, Counts(0, 0))
    counts -= line.id
    taken
  }

  private var millis = Map.empty[(String, String), Long]

  /** The `n` suites that took longest, each with its line and seconds, the slowest first. */
  def slowest(n: Int): Seq[(String, String, Long)] = synchronized {
    millis.toSeq.sortBy(-_._2).take(n).map { case ((line, suite), ms) => (line, suite, ms / 1000) }
  }

  private def took(line: SparkLine, suite: String, ms: Long): Unit = synchronized {
    val key = line.id -> suite.split('.').last
    millis += key -> (millis.getOrElse(key, 0L) + ms)
  }

  private def add(line: SparkLine, more: Counts): Unit = synchronized {
    counts += line.id -> (counts.getOrElse(line.id, Counts(0, 0)) + more)
  }
}
