// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.util.concurrent.{Callable, Executors}

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.SparkSession

import io.sparksieve.conf.SieveConf

/**
 * Sessions that run queries at the same time over the same tables, each with its own configs: each
 * must return its rows, and no session's plans may follow the configs of another.
 */
object Crowd {

  /** The configs of the sessions, in turn. */
  private val Configs: Seq[Map[String, String]] = Seq(
    Map.empty,
    Map(SieveConf.ENABLED.key -> "false"),
    Map(SieveConf.DYNAMIC_FILTER_ENABLED.key -> "false"),
    Map(SieveConf.ADAPTIVE_FILTER_ENABLED.key -> "false"),
    Map("spark.sql.adaptive.enabled" -> "false"),
    Map("spark.sql.codegen.wholeStage" -> "false", "spark.sql.ansi.enabled" -> "true")
  )

  def run(trial: Trial): Seq[String] = {
    val threads = Executors.newFixedThreadPool(trial.options.threads)
    try {
      val members = (0 until trial.options.threads).map { number =>
        new Callable[Seq[String]] { override def call(): Seq[String] = member(trial, number) }
      }
      threads.invokeAll(members.asJava).asScala.toSeq.flatMap(_.get).distinct
    } finally threads.shutdownNow()
  }

  private def member(trial: Trial, number: Int): Seq[String] = {
    val confs = Configs(number % Configs.size)
    trial.spark.sparkContext.setLocalProperty("spark.scheduler.pool", s"pool${number % 3}")
    val session = trial.workload.open(confs)
    val random = new Random(trial.options.seed * 1000 + number)
    val all = trial.workload.all
    (1 to trial.options.queries).flatMap { _ =>
      val work = all(random.nextInt(all.size))
      try trial.workload.check(work, session).toSeq ++ leaks(work, session, confs)
      catch { case e: Exception => Seq(s"${work.name}: $e") }
    }
  }

  /** What the plan of a query has that its session's configs forbid, or lacks although they do not. */
  private def leaks(work: Work, session: SparkSession, confs: Map[String, String]): Seq[String] = {
    val plan = work.plan(session)
    val off = Workload.Switches.filter { case (key, _) => confs.get(key).contains("false") }
    val forbidden = off.values.flatten.toSeq
    val there = forbidden.filter(plan.contains(_)).map(w => s"${work.name}: $w in spite of $confs")
    val gone = work.word.filter(w => !forbidden.contains(w) && !plan.contains(w))
    there ++ gone.map(w => s"${work.name}: no $w with $confs")
  }
}
