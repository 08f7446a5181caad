// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import scala.util.Try

/**
 * Opens many sessions, one after the other, each of which runs a few queries, a report, a query that
 * fails and one over a cached table. What is held after a third of them must be held at the end, and
 * no more: compared with the same without Sieve, because Spark holds more and more too.
 */
object Sessions {

  private val PerSession = 3

  def run(trial: Trial): Seq[String] = {
    val third = trial.options.sessions / 3
    Growth.compared(trial)(
      confs => (0 until third).flatMap(one(trial, confs, _)),
      confs => (third until trial.options.sessions).flatMap(one(trial, confs, _)))
  }

  private def one(trial: Trial, confs: Map[String, String], number: Int): Seq[String] = {
    val session = trial.workload.open(confs)
    val all = trial.workload.all
    val wrong = (0 until PerSession)
      .map(i => all((number * PerSession + i) % all.size))
      .flatMap(work => trial.workload.check(work, session))
    session.sql("CACHE TABLE cached AS SELECT * FROM fact WHERE v < 60")
    session.sql("SELECT c.id FROM cached c JOIN dim d ON c.k = d.k WHERE d.tag = 1").collect()
    session.sql("UNCACHE TABLE cached")
    val failed = Try(
      session.sql("SELECT id FROM fact WHERE in_file(k, '/no/such/file.csv')").collect())
    session.sql("SELECT * FROM sieve_report('SELECT id FROM fact WHERE v > 9 AND k > 7')").collect()
    wrong ++ (if (failed.isSuccess) Seq("a file that is missing gave no error") else Nil)
  }
}
