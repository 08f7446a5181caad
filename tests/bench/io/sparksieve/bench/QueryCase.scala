// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.types.DoubleType

import io.sparksieve.report.core.Report

/**
 * A query that is run with Sieve off and on.
 *
 * @param tables
 *   the tables that the query reads
 * @param sql
 *   the query
 * @param rule
 *   the rule under test
 * @param conf
 *   confs of all variants
 * @param others
 *   further variants, such as the rewrite written by hand
 * @param target
 *   the target: at least this ratio off/on
 * @param expectApplied
 *   whether the rule must change the plan (true) or must not be applied (false); None if the rule
 *   decides, and only the rows and the time matter
 * @param noise
 *   whether to measure off against itself even if `control` is not set
 * @param compared
 *   maps a query to the query whose rows are compared, for example without its LIMIT, which may
 *   choose freely among ties
 * @param physical
 *   whether the rule changes the physical plan, not the optimized plan
 * @param before
 *   runs before each timed run, for example to clear the state of the previous run
 * @param alone
 *   the same query for Spark without Sieve, if `sql` uses functions of Sieve
 */
final case class QueryCase(
    name: String,
    about: String,
    tables: Seq[Table],
    sql: String,
    rule: String,
    conf: Map[String, String] = Map.empty,
    others: Seq[Variant] = Nil,
    target: Option[Double] = None,
    expectApplied: Option[Boolean] = Some(true),
    noise: Boolean = false,
    compared: String => String = identity,
    physical: Boolean = false,
    before: () => Unit = () => (),
    alone: Option[String] = None)
    extends Case {

  private val off = alone.getOrElse(sql)

  override def measure(bench: Bench, control: Boolean): CaseResult = {
    bench.prepare(bench.extended, tables)
    val compared = Seq(Variant.off(off), Variant.on(sql)) ++ others
    val again = if (control || noise) Seq(Variant.off(off, Variant.OffAgain)) else Nil
    val plans =
      compared.map(v => v.name -> in(bench, v)(prepared(bench, v)(planned(bench, v)))).toMap
    val prints = compared.map(v => v.name -> in(bench, v)(fingerprint(bench, v))).toMap
    // This run collects the figures of the plan, and warms up the JVM.
    val shapes = compared.map(v => v.name -> in(bench, v)(observed(bench, v))).toMap
    val measured = (compared ++ again).map(v => v.name -> v).toMap
    val timings = Rounds((compared ++ again).map(_.name), bench.options.runs) { name =>
      in(bench, measured(name))(timed(bench, measured(name)))
    }
    CaseResult(
      CaseResult.Query,
      name,
      about,
      target,
      conf,
      sql,
      (compared ++ again).map { v =>
        CaseResult.OfVariant(
          v.name,
          timings(v.name),
          shapes.get(v.name),
          plans.get(v.name).map(_._1).getOrElse(""),
          v.target)
      },
      Some(prints(Variant.Off).rows),
      unexpected(plans) ++ otherRows(prints),
      applied = Some(fired(plans(Variant.On)._2)),
      verdicts = plans(Variant.On)._2
    )
  }

  private def in[T](bench: Bench, variant: Variant)(body: => T): T =
    bench.withConf(bench.extended, conf ++ variant.conf)(body)

  private def prepared[T](bench: Bench, variant: Variant)(body: => T): T = {
    variant.prepare(bench)
    body
  }

  private def execution(bench: Bench, variant: Variant): QueryExecution =
    bench.query(bench.extended, variant.sql)

  private def planned(bench: Bench, variant: Variant): (String, Seq[Report.Entry]) =
    Report.collecting {
      val query = execution(bench, variant)
      val plan = if (physical) query.executedPlan else query.optimizedPlan
      PlanText.withoutPlaces(PlanText.renumbered(plan.toString))
    }

  private def fired(verdicts: Seq[Report.Entry]): Boolean =
    verdicts.exists(v => v.rule == rule && v.reason.isEmpty)

  private def unexpected(plans: Map[String, (String, Seq[Report.Entry])]): Seq[String] = {
    val (off, _) = plans(Variant.Off)
    val (on, verdicts) = plans(Variant.On)
    expectApplied match {
      case Some(true) if !fired(verdicts) =>
        Seq(s"vacuous: $rule was not applied: ${verdicts.mkString("; ")}")
      case Some(true) if off == on =>
        Seq("vacuous: the plan is the same with Sieve off and on")
      case Some(false) if fired(verdicts) =>
        Seq(s"$rule was applied where it should have kept out")
      case _ => Nil
    }
  }

  /** The number of rows, and sums of row hashes that do not depend on the order of the rows. */
  private case class Fingerprint(rows: Long, low: Option[Long], high: Option[Long])

  private def fingerprint(bench: Bench, variant: Variant): Fingerprint = {
    val output = execution(bench, variant).analyzed.output
    // New names, because a query may give two columns the same name.
    val names = output.indices.map(i => s"c$i")
    // Doubles that were summed in a different order differ in their last bits.
    val columns = output.zip(names).map { case (a, c) =>
      if (a.dataType == DoubleType) s"cast($c AS FLOAT)" else c
    }
    // A hash skips NULLs, so only the IS NULL columns distinguish (NULL, 1) from (1, NULL).
    val values = (columns ++ names.map(c => s"$c IS NULL")).mkString(", ")
    val row = bench.extended
      .sql(s"""
      SELECT count(*), sum(h & 4294967295), sum(shiftrightunsigned(h, 32))
      FROM (SELECT xxhash64($values) AS h
        FROM (${compared(variant.sql)}) AS q (${names.mkString(", ")})) AS hashed""")
      .head()
    def sum(i: Int) = if (row.isNullAt(i)) None else Some(row.getLong(i))
    Fingerprint(row.getLong(0), sum(1), sum(2))
  }

  private def otherRows(prints: Map[String, Fingerprint]): Seq[String] = {
    val expected = prints(Variant.Off)
    prints.collect {
      case (variant, found) if found != expected =>
        s"other rows: '$variant' gave $found, off gave $expected"
    }.toSeq
  }

  private def observed(bench: Bench, variant: Variant): PlanShape = {
    // Hadoop does not count the bytes of vectored reads of local files.
    val settings = Map("parquet.hadoop.vectored.io.enabled" -> "false")
    bench.withConf(bench.extended, settings) {
      val query = execution(bench, variant)
      val (_, activity) = Activity.during(bench.extended.sparkContext) {
        query.toRdd.foreach(_ => ())
      }
      PlanShape(query.executedPlan, activity)
    }
  }

  private def timed(bench: Bench, variant: Variant): Double = {
    // Collects the garbage of the previous run before the timed code starts.
    System.gc()
    before()
    Rounds.milliseconds {
      variant.prepare(bench)
      bench.extended.sql(variant.sql).write.format("noop").mode("overwrite").save()
    }
  }
}
