import sbt.*
import sbt.testing.{Event, Status, TestSelector}

/**
 * Counts the tests of forked suites as they report. The JUnit reports that sbt writes do not tell a cancelled test from
 * one that passed.
 */
object TestCounter extends TestReportListener {

  private var counts = Counts(0, 0)

  /** The counts since the last call. */
  def take(): Counts = synchronized {
    val taken = counts
    counts = Counts(0, 0)
    taken
  }

  private def add(more: Counts): Unit = synchronized { counts += more }

  override def startGroup(name: String): Unit = ()

  override def testEvent(event: TestEvent): Unit = event.detail.foreach { test =>
    test.status match {
      case Status.Success => add(Counts(1, 0))
      case Status.Failure | Status.Error => add(Counts(0, 1, failures = Seq(failure(test))))
      case _ => add(Counts(0, 0, skipped = 1))
    }
  }

  /** The suite itself broke, outside its tests. */
  override def endGroup(name: String, error: Throwable): Unit =
    add(Counts(0, 1, failures = Seq(s"$name: $error")))

  private def failure(test: Event): String = {
    val name = test.selector match {
      case selector: TestSelector => s" - ${selector.testName}"
      case _ => ""
    }
    val why = if (test.throwable.isDefined) s": ${test.throwable.get.getMessage}" else ""
    (test.fullyQualifiedName + name + why).take(MaxChars)
  }

  /** Of what is said of a test that failed: enough to see why, and no whole plan. */
  private val MaxChars = 600

  override def endGroup(name: String, result: TestResult): Unit = ()
}
