// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.apache.hadoop.util.ShutdownHookManager

import org.apache.spark.sql.SparkSession

import io.sparksieve.differential.judgement.{
  Disagreement,
  Failure,
  Finding,
  Judge,
  OrderDependent,
  Run,
  Runs,
  Shrink,
  Tally,
  Truth
}
import io.sparksieve.differential.table.{Statement, Table, Tables}

/**
 * The differential tester runs random queries over random tables, each with Sieve off and on in one
 * session. If the results differ, an oracle decides which is right. Arguments: see [[Options]].
 *
 * Ends with a line `N passed, N failed`, and with exit code 1 if anything failed.
 */
object Main {

  def main(args: Array[String]): Unit = Options.parse(args.toSeq) match {
    case Left(message) =>
      System.err.println(message)
      sys.exit(2)
    case Right(options) =>
      val spark = Session.start()
      val failed =
        try new Tester(spark, options).run()
        finally spark.stop()
      if (failed > 0) sys.exit(1)
  }
}

/** One run of the tester. */
final class Tester(spark: SparkSession, options: Options) {

  /** The number of queries that share their tables. */
  private val Batch = 100

  /** The number of failures that are shown in full. */
  private val Shown = 10

  private val generator = options.generator
  private val runs = new Runs(spark)
  private val truth = new Truth(spark)
  private val judge = new Judge(spark, runs, truth)
  private val tally = new Tally(generator.rules)
  private val shrink = new Shrink(check(_, _), remake)
  private var failures = 0
  private val counted = new AtomicBoolean

  /** Runs all queries, prints their outcomes, and returns the number of failures. */
  def run(): Int = {
    println(
      s"${generator.feature}: ${options.queries} queries from seed ${options.seed} on Spark ${spark.version}")
    // Before Spark's own hook, which makes the query fail that is running.
    ShutdownHookManager.get.addShutdownHook(() => count(failures), Integer.MAX_VALUE)
    val start = System.nanoTime()
    def seconds = (System.nanoTime() - start) / 1000000000L
    val end = options.minutes.map(_ * 60L).getOrElse(Long.MaxValue)
    val numbers = options.only.map(n => Seq(n)).getOrElse(0 until options.queries)
    numbers.iterator
      .takeWhile(_ => seconds < end)
      .toSeq
      .groupBy(_ / Batch)
      .toSeq
      .sortBy(_._1)
      .foreach { case (batch, members) =>
        if (seconds < end) {
          withTables(tables(batch)) { all =>
            members.takeWhile(_ => seconds < end).foreach(one(_, all))
          }
          println(s"  ${tally.queries} queries, $failures failed, $seconds s")
        }
      }
    val worthless = if (options.only.nonEmpty) Nil else tally.worthless
    println(tally.show)
    worthless.foreach(why => println(s"FAILED: $why"))
    val failed = failures + worthless.length
    count(failed)
    println(s"${tally.queries - failures} passed, $failed failed")
    failed
  }

  /** Adds the numbers to the file of counts, once: at the end, or when the run is ended by a signal. */
  private def count(failed: Int): Unit = if (!counted.getAndSet(true)) {
    options.counts.foreach(
      Counts.add(_, line, generator.feature, options.seed, tally.queries, failed))
  }

  /** The version of Spark, and of Scala if it is the older one of two. */
  private def line: String =
    if (scalaLine == "2.12") s"${spark.version}-$scalaLine" else spark.version

  private def scalaLine = util.Properties.versionNumberString.split('.').take(2).mkString(".")

  private def tables(batch: Int): Tables =
    generator.tables(
      new Dice(Dice.seed(options.seed, -1L - batch)),
      s"${Session.folder}/batch$batch")

  private def remake(table: Table): Unit = run(table.drop ++ table.statements)

  private def run(statements: Seq[String]): Unit = {
    truth.forget()
    statements.foreach(Statement.run(spark, _))
  }

  private def withTables[T](tables: Tables)(body: Tables => T): T = {
    run(tables.cleanup)
    run(tables.setup)
    try body(tables)
    finally run(tables.cleanup)
  }

  private def one(number: Int, tables: Tables): Unit = {
    val dice = new Dice(Dice.seed(options.seed, number.toLong))
    val query =
      CachedQuery.seldom(dice, OrderDependent.seldom(dice, generator.query(dice, tables)))
    if (options.verbose) println(s"-- query $number\n${query.text}")
    try {
      val (off, on, finding) = check(query, dice.chance(8))
      val isEnded = spark.sparkContext.isStopped
      if (!isEnded) tally.add(off, on, finding)
      finding match {
        case _ if isEnded => // by a signal, in the middle of this query
        case wrong: Finding.Wrong => failed(number, tables, query, wrong, off, on)
        case Finding.SparkWrong(known, detail) if options.verbose =>
          println(s"Spark is wrong (${known.id}):\n$detail")
        case Finding.BothWrong(None, detail) =>
          val unknown = Finding.Wrong("the rows of both are wrong, and nobody knows why", detail)
          println(s"${unknown.what}; ${command(number)}")
          if (options.verbose || options.only.nonEmpty)
            println(Failure(number, command(number), tables, query, unknown, off, on).show)
        case _ =>
      }
    } catch {
      case e: Disagreement =>
        failures += 1
        println(s"==== query $number failed: ${e.getMessage}; again: ${command(number)}")
        if (failures <= Shown) {
          println(s"${query.before.mkString("\n")}\n${query.text}")
          Option(e.getCause).foreach(cause => println(Judge.trace(cause)))
        }
      case e: runs.Invalid =>
        tally.invalid()
        if (options.verbose || options.only.nonEmpty) {
          println(s"not analysed: ${e.getMessage}\n${query.before.mkString("\n")}\n${query.text}")
        }
    }
  }

  private def check(query: Query, alwaysAsk: Boolean): (Run, Run, Finding) =
    runs.prepared(query) {
      val off = runs.sieve(on = false)(query.dataFrame(spark))
      val on = runs.sieve(on = true)(query.dataFrame(spark))
      (off, on, judge(query, off, on, alwaysAsk))
    }

  private def failed(
      number: Int,
      tables: Tables,
      query: Query,
      wrong: Finding.Wrong,
      off: Run,
      on: Run): Unit = {
    failures += 1
    val first = Failure(number, command(number), tables, query, wrong, off, on)
    if (failures > Shown)
      println(s"==== query $number failed: ${wrong.what}; again: ${command(number)}")
    else {
      println(first.show)
      val smaller =
        try if (options.asIs) first else shrink(first)
        catch { case NonFatal(e) => println(s"could not be made smaller: $e"); first }
      if (smaller ne first) println(s"---- the same, made smaller ----\n${smaller.show}")
    }
  }

  /** The command that runs query `number` again, on the current Spark line. */
  private def command(number: Int): String = {
    val minor = spark.version.split('.').take(2).mkString(".")
    val id = if (minor == "3.5") s"$minor-$scalaLine" else minor
    s"./sbt -Dspark.line=$id differential ${generator.feature} --seed ${options.seed} --query $number"
  }
}
