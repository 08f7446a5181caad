// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.advice

import java.nio.file.{Files, Path}
import java.util.Locale

import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions.col

import io.sparksieve.advice.layout.{Layout, Shares}
import io.sparksieve.advice.workload.ReadsOf
import io.sparksieve.bench.{Bench, Case, CaseResult, Rounds, Table, Timing, Variant}
import io.sparksieve.compat.SparkCompat

/**
 * Advises on a table for some queries, really writes every layout, and compares what the queries
 * read of it with the prediction. `off` is the time to write and examine all layouts, `on` the time
 * of the advice. The case fails if a prediction is off by more than 10 points, or if the layout that
 * is advised reads more than the best by over 2 points.
 *
 * @param table
 *   under the name `t`
 * @param filters
 *   the predicates of the queries, which count alike
 */
private[sparksieve] final case class LayoutCase(
    name: String,
    about: String,
    table: Table,
    filters: Seq[String])
    extends Case {

  import LayoutCase._

  override def target: Option[Double] = None

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    val session = bench.extended
    bench.prepare(session, Seq(table))
    val files = session.table(table.view)
    val path = files.inputFiles.head.replaceAll("/[^/]*$", "")
    val rows = session.read.parquet(path)
    val advice = advise(session, queries(rows), AllLayouts)
    val chosen = advise(session, queries(rows), Default)
    val timing = Rounds(Seq(Variant.On), bench.options.runs) { _ =>
      Rounds.milliseconds { advise(session, queries(rows), Default); () }
    }(Variant.On)
    val today = advice.today.get.bytes
    val start = System.nanoTime()
    val real = advice.layouts.map(layout => layout -> write(session, rows, layout))
    val trying = (System.nanoTime() - start) / 1e6
    val errors = real.map { case (layout, shares) => layout.read.bytes - shares.bytes }
    val best = math.min(today, real.map(_._2.bytes).min)
    val layout =
      chosen.layouts.headOption.filter(_ => chosen.outcome == TableAdvice.Outcome.Rewrite)
    val reached = layout.fold(today)(l => real.find(_._1.layout == l.layout).get._2.bytes)
    val isBest = reached - best <= Tie
    Tally.add(errors, isBest)
    val wrong = real.zip(errors).collect {
      case ((l, shares), error) if math.abs(error) > Tolerance =>
        s"${l.layout.text}: predicted ${percent(l.read.bytes)}, really ${percent(shares.bytes)}"
    }
    val missed =
      if (isBest) Nil
      else
        Seq(
          s"advised ${layout.fold("nothing")(_.layout.text)}, which reads ${percent(reached)}; " +
            s"the best reads ${percent(best)}")
    val figures =
      s"$about; ${chosen.size.get.rowGroups} row groups; today ${percent(today)}, advised " +
        s"${layout.fold("nothing")(_.layout.text)}: ${percent(reached)}; best ${percent(best)}; " +
        s"error of ${errors.size} layouts: mean ${percent(errors.map(math.abs(_)).sum / errors.size)}, " +
        s"greatest ${percent(errors.map(math.abs(_)).max)}"
    println(s"    $figures")
    CaseResult(
      CaseResult.Query,
      name,
      figures,
      None,
      Map.empty,
      filters.mkString("; "),
      Seq(
        CaseResult.OfVariant(Variant.Off, Timing(Vector(trying)), None, ""),
        CaseResult.OfVariant(Variant.On, timing, None, "")),
      Some(chosen.size.get.rows),
      wrong ++ missed
    )
  }

  private def queries(rows: DataFrame): Seq[DataFrame] = filters.map(rows.where(_))

  /** Writes a layout as its statement says, and returns what the queries read of it. */
  private def write(session: SparkSession, rows: DataFrame, advice: LayoutAdvice): Shares = {
    val folder = Files.createTempDirectory("sieve-layout")
    try {
      val layout = advice.layout
      val columns = layout.columns.map(col)
      val isPartition = layout.kind == Layout.Kind.Partition
      val distributed =
        if (isPartition) rows.repartition(columns: _*)
        else {
          val n = FileCount.findFirstMatchIn(advice.statement.text).get.group(1).toInt
          rows.repartitionByRange(n, columns: _*)
        }
      val writer = distributed.sortWithinPartitions(columns: _*).write
      val block = BlockSize.findFirstMatchIn(advice.statement.text).map(_.group(1))
      val target = folder.resolve("written").toString
      block
        .fold(writer)(writer.option("parquet.block.size", _))
        .partitionBy((if (isPartition) layout.columns else Nil): _*)
        .parquet(target)
      advise(session, queries(session.read.parquet(target)), Default).today.get
    } finally delete(folder)
  }
}

private[sparksieve] object LayoutCase {

  final val Tolerance = 0.1

  /** Layouts whose shares differ by less are equally good. */
  final val Tie = 0.02

  private val Default = TableAdviser.Limits(2000, 4000000, 32)
  private val AllLayouts = Default.copy(finalists = 100)

  private val FileCount = raw"repartitionByRange\((\d+)".r
  private val BlockSize = raw"parquet\.block\.size., (\d+)".r

  def advise(session: SparkSession, queries: Seq[DataFrame], limits: TableAdviser.Limits) = {
    val reads = queries.zipWithIndex.flatMap { case (query, i) =>
      val planned = SparkCompat.plan(session, query.queryExecution.analyzed)
      ReadsOf.planned(planned).map(read => (i + 1, 1.0, read))
    }
    new TableAdviser(session, limits)(reads.head._3.table, reads)
  }

  private def percent(share: Double) =
    String.format(Locale.ROOT, "%.1f %%", Double.box(share * 100))

  private def delete(folder: Path): Unit = {
    val found = Files.walk(folder)
    try found.sorted(java.util.Comparator.reverseOrder()).forEach(f => Files.delete(f))
    finally found.close()
  }

  /** The predictions and choices so far. */
  object Tally {
    private val errors = mutable.ArrayBuffer.empty[Double]
    private val choices = mutable.ArrayBuffer.empty[Boolean]

    def add(more: Seq[Double], isBest: Boolean): Unit = {
      errors ++= more
      choices += isBest
      val within = errors.count(math.abs(_) <= Tolerance).toDouble / errors.size
      val best = choices.count(identity).toDouble / choices.size
      println(
        s"    so far ${errors.size} predictions: ${percent(within)} within 10 points; " +
          s"${choices.size} choices: ${percent(best)} the best")
    }
  }
}
