// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.upstream

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

/** Which differences between two runs of Spark's own suites the comparison must report. */
class ComparisonSuite extends AnyFunSuite {

  private val p = "org.apache.spark.sql."

  private def records(lines: String*): Seq[SuiteResult] =
    Results.ofRecords(lines.map(_.replace('|', '\t')), Seq(Suite("ASuite", 1)))

  private val good = records(
    s"test|${p}ASuite|one|passed|5|",
    s"test|${p}ASuite|two|passed|5|",
    s"suite|${p}ASuite|ended|900|")

  private def compared(
      on: Seq[SuiteResult],
      off: Seq[SuiteResult] = good,
      exceptions: Seq[Exceptions.Entry] = Nil): Comparison = Comparison(off, on, exceptions)

  test("a run that passes as the other did") {
    assert(compared(good).differences.isEmpty)
    assert(good.head.ran == 2 && good.head.millis == 900)
  }

  test("a test that fails only with Sieve is an alarm with its message") {
    val on = records(
      s"test|${p}ASuite|one|failed|5|why it failed",
      s"test|${p}ASuite|two|passed|5|",
      s"suite|${p}ASuite|ended|900|")
    assert(compared(on).alarms.map(d => (d.test, d.message)) == Seq("one" -> "why it failed"))
    assert(compared(on, off = on).differences.isEmpty)
    def exception(test: String, message: String) =
      Seq(Exceptions.Entry("ASuite", test, message, "a plan is asserted"))
    val excepted = compared(on, exceptions = exception("one", "it failed"))
    assert(excepted.differences.size == 1 && excepted.alarms.isEmpty)
    assert(compared(on, exceptions = exception("*", "")).alarms.isEmpty)
    assert(compared(on, exceptions = exception("one", "another")).alarms.size == 1)
    assert(compared(on, exceptions = exception("two", "")).alarms.size == 1)
  }

  test("an exception of a suite that runs in parts is for the part that has the test") {
    val test = "folder/f.sql"
    val part = Suite.partOf(test)
    val entry = Exceptions.Entry("ASuite", test, "failed", "a plan is asserted")
    def on(part: Int, message: Option[String]) =
      Seq(SuiteResult(s"ASuite#$part", 1, 0, message.map(test -> _).toMap))
    val failed = compared(on(part, Some("it failed")), off = Nil, exceptions = Seq(entry))
    assert(failed.alarms.isEmpty && failed.needless.isEmpty)
    assert(compared(on(part, None), off = Nil, exceptions = Seq(entry)).needless == Seq(entry))
    val other = (part + 1) % Suite.Parts
    assert(compared(on(other, None), off = Nil, exceptions = Seq(entry)).needless.isEmpty)
  }

  test("an alarm that is none the second time was chance") {
    val on = records(
      s"test|${p}ASuite|one|failed|5|late",
      s"test|${p}ASuite|two|passed|5|",
      s"suite|${p}ASuite|ended|900|")
    val alarm = compared(on).alarms.head
    assert(compared(on).repeats(alarm))
    assert(!compared(good).repeats(alarm))
    assert(!compared(on).repeats(alarm.copy(test = "two")))
    // A second run that ended early does not clear the alarm.
    assert(compared(records()).repeats(alarm))
  }

  test("a share of the list is one that there is") {
    def share(word: String) = Options.parse(List("--share", word)).toOption.flatMap(_.share)
    assert(share("1/9").contains((0, 9)) && share("9/9").contains((8, 9)))
    Seq("0/9", "10/9", "9", "1/", "-1/9").foreach(word => assert(share(word).isEmpty, word))
    val suites = (1 to 4).map(i => Suite(s"S$i", 1))
    assert(
      (0 to 1).flatMap(n => Options(share = Some((n, 2))).chosen(suites)).toSet == suites.toSet)
  }

  test("an exception that is needed no more is said so, of suites that ran") {
    val entries =
      Seq("ASuite", "BSuite").map(Exceptions.Entry(_, "one", "", "why"))
    assert(compared(good, exceptions = entries).needless == entries.take(1))
  }

  test("a suite that breaks, ends the JVM or leaves tests out is an alarm") {
    val aborted = records(s"suite|${p}ASuite|aborted|900|no class")
    val ended = records(s"test|${p}ASuite|one|passed|5|")
    val fewer = records(s"test|${p}ASuite|one|passed|5|", s"suite|${p}ASuite|ended|900|")
    Seq(aborted, ended, fewer, records()).foreach { on =>
      assert(compared(on).alarms.map(_.test) == Seq(SuiteResult.Itself), on)
    }
  }

  test("stored results are read as they were written") {
    val result = SuiteResult("b.ASuite", 3, 1, Map("a test: with, signs" -> "", "other" -> ""))
    val file = Files.createTempFile("off", ".txt")
    try {
      Results.write(file, "4.2.0", Seq(result, good.head))
      assert(
        Results.read(file) ==
          Map("b.ASuite" -> result, "ASuite" -> good.head.copy(millis = 0)))
    } finally Files.delete(file)
  }

  test("shares hold every suite once and cost about the same") {
    val suites = Seq(90, 60, 50, 40, 30, 20, 10).zipWithIndex.map { case (c, i) =>
      Suite(s"S$i", c)
    }
    val parts = Suites.shares(suites, 3)
    assert(parts.flatten.sortBy(_.name) == suites)
    assert(parts.map(_.map(_.cost).sum) == Seq(110, 100, 90))
  }

  test("a part of a suite holds the tests over its own files") {
    val names = (1 to 9).map(i => s"folder/f$i.sql")
    val tests = names.flatMap(n => Seq(n, n + "_analyzer_test", n + " - Scala UDF"))
    val lines = tests.map(t => s"test\t${p}ASuite\t$t\tpassed\t5\t") :+
      s"suite\t${p}ASuite\tended\t9\t"
    val parts = (0 until Suite.Parts).map(n => Suite(s"ASuite#$n", 1))
    val results = Results.ofRecords(lines, parts)
    assert(results.map(_.passed) == parts.map(s => 3 * names.count(Suite.partOf(_) == s.part.get)))
    assert(results.map(_.passed).sum == 27 && results.forall(_.failed.isEmpty))
    assert(parts.head.className == s"${p}ASuite")
  }

  test("rules that were applied are summed over suites") {
    val lines = Seq("applied|A|setop|R|2", "applied|B|setop|R|3").map(_.replace('|', '\t'))
    assert(Results.applied(lines) == Map(("setop", "R") -> 5L))
  }
}
