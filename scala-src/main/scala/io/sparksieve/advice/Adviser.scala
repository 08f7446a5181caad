// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession

import io.sparksieve.advice.workload.{QueryReads, TableRead, TableRef}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf

/**
 * Advises on the tables of queries. Reads metadata, footers and a sample of each table, and
 * rewrites nothing.
 */
private[sparksieve] final class Adviser(session: SparkSession) extends Logging {

  private val conf = SparkCompat.conf(session)

  def apply(scope: Advice.Scope, queries: Seq[QueryReads]): Advice = {
    val numbered = queries.zipWithIndex.map { case (q, i) => (i + 1, q) }
    // Without times, all queries count alike.
    val timed = queries.exists(_.seconds.exists(_ > 0))
    val reads = numbered.flatMap { case (id, query) =>
      val weight = if (timed) query.seconds.getOrElse(0.0) else 1.0
      val scans = query.reads.groupBy(_.table).map { case (t, all) => t -> all.size }
      query.reads.map(read => (id, weight / scans(read.table), read))
    }
    val tables = reads.map(_._3.table).distinct.map { table =>
      val mine = reads.filter { case (_, weight, read) => read.table == table && weight > 0 }
      advise(table, mine)
    }
    val described = numbered.map { case (id, q) => AdvisedQuery(id, q.text, q.runs, q.seconds) }
    // The tables first whose rewrite saves most bytes.
    Advice(scope, described, tables.sortBy(t => (t.outcome.order, -t.savedBytes)))
  }

  private def advise(table: TableRef, reads: Seq[(Int, Double, TableRead)]): TableAdvice =
    try new TableAdviser(session, limits)(table, reads)
    catch {
      case e @ (NonFatal(_) | _: StackOverflowError) =>
        logWarning(s"Sieve could not advise on a table: $e", e)
        TableAdvice.declined(table.text, table.format, s"It could not be examined: ${e.getMessage}")
    }

  private def limits = TableAdviser.Limits(
    SieveConf.adviseSampleRows(conf),
    SieveConf.adviseMaxSampleRows(conf),
    SieveConf.adviseMaxLayouts(conf))
}
