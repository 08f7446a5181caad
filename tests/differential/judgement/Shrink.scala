// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.annotation.tailrec
import scala.util.Try

import io.sparksieve.differential.Query
import io.sparksieve.differential.table.Table

/**
 * Makes a failing query smaller, greedily and for a bounded number of attempts.
 *
 * @param check
 *   runs a query off and on; the flag says whether to evaluate the oracle even if the runs agree
 * @param remake
 *   replaces the session's table of that name
 */
final class Shrink(check: (Query, Boolean) => (Run, Run, Finding), remake: Table => Unit) {

  private val Attempts = 60

  /** The smallest query found that fails in the same way, over the fewest rows. */
  def apply(failure: Failure): Failure = {
    val simple = descend(failure, Attempts)(f => f.query.simpler.map(q => () => again(f, q)))
    try descend(simple, Attempts)(f => f.used.flatMap(_.smaller).map(t => () => over(f, t)))
    finally failure.used.foreach(remake)
  }

  @tailrec
  private def descend(failure: Failure, attempts: Int)(
      candidates: Failure => Seq[() => Option[Failure]]): Failure = {
    val tried = candidates(failure).take(attempts).iterator.zipWithIndex.map { case (c, i) =>
      (c(), i + 1)
    }
    tried.collectFirst { case (Some(smaller), n) => (smaller, n) } match {
      case Some((smaller, n)) => descend(smaller, attempts - n)(candidates)
      case None => failure
    }
  }

  /**
   * The failure with another table. If the query no longer fails in the same way, the original
   * table is restored.
   */
  private def over(failure: Failure, table: Table): Option[Failure] = {
    remake(table)
    val found = again(failure, failure.query).map(_.copy(tables = failure.tables.updated(table)))
    if (found.isEmpty) failure.used.filter(_.name == table.name).foreach(remake)
    found
  }

  private def again(failure: Failure, query: Query): Option[Failure] =
    Try(check(query, true)).toOption.collect {
      case (off, on, wrong: Finding.Wrong) if wrong.what == failure.finding.what =>
        failure.copy(query = query, finding = wrong, off = off, on = on)
    }
}
