// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.report

import io.sparksieve.SieveTest
import io.sparksieve.report.core.{OrderSnapshot, Report}
import io.sparksieve.report.sql.Runs

/** How many runs a session remembers. */
class RunsSuite extends SieveTest {

  test("the oldest of many queries is forgotten, one that was used is not") {
    val runs = new Runs
    def query(n: Int) = sql(s"SELECT id FROM range($n)").queryExecution.analyzed
    def entry(n: Int) =
      Runs.Run(Seq(Report.measured("test", "Measuring", s"$n", "")), Nil)
    (1 to Runs.Max).foreach(n => runs.put(query(n), entry(n)))
    def known(n: Int) = runs.get(query(n)).map(_.run)
    assert(known(1).contains(entry(1)))
    runs.put(query(Runs.Max + 1), entry(Runs.Max + 1))
    assert(known(2).isEmpty)
    assert(known(1).contains(entry(1)) && known(Runs.Max + 1).nonEmpty)
    runs.put(query(1), entry(0))
    assert(known(1).contains(entry(0)))
  }

  test("runs with very many figures are forgotten earlier") {
    val runs = new Runs
    def query(n: Int) = sql(s"SELECT id FROM range($n)").queryExecution.analyzed
    val moments = Seq.tabulate(50000)(i =>
      OrderSnapshot("place", "1", i.toLong, "a > 1", 1, 1, Some(0.5), Some(2.0)))
    (1 to 6).foreach(n =>
      runs.put(query(n), Runs.Run(Seq(Report.measured("test", "Measuring", "", "")), moments)))
    assert((1 to 6).filter(n => runs.get(query(n)).nonEmpty) == Seq(5, 6))
  }
}
