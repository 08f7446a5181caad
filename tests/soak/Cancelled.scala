// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.soak

import java.util.concurrent.{ExecutorService, Executors, TimeUnit}

import scala.util.{Random, Try}

import org.apache.spark.sql.SparkSession

import io.sparksieve.Confs

/**
 * Cancels queries at random moments. Each must end within a second, and within another no job of it
 * may run: Sieve collects keys on threads of its own.
 */
object Cancelled {

  private val Limit = 1000L

  /** Slow on both sides: the keys take about as long as the rows. */
  private val queries = Seq(
    "SELECT count(*) FROM (SELECT id * 7 AS x FROM range(0, 60000000, 1, 4)) r JOIN " +
      "(SELECT cast(id AS BIGINT) AS x FROM range(0, 60000000, 1, 4) WHERE hash(id) % 5000 = 3) d " +
      "ON r.x = d.x",
    "SELECT count(*) FROM fact f JOIN (SELECT cast(id % 400 AS INT) AS k FROM " +
      "range(0, 80000000, 1, 4) WHERE hash(id) % 100 = 3) d ON f.k = d.k",
    "SELECT count(*) FROM range(0, 90000000, 1, 4) WHERE hash(id) % 7 < 5 AND hash(id, 1) % 3 = 1 " +
      "AND id % 11 < 9"
  )

  def run(trial: Trial): Seq[String] = {
    val random = new Random(trial.options.seed)
    val thread = Executors.newSingleThreadExecutor()
    var slowest = 0L
    var ended = 0
    def one(number: Int): Seq[String] = {
      val session = trial.workload.open()
      val threshold = if (random.nextBoolean()) "-1" else "10MB"
      val delay = random.nextInt(if (number % 5 == 0) 3000 else 600)
      val (millis, hadEnded) = cancelled(session, number, delay, threshold, thread)
      slowest = math.max(slowest, millis)
      if (hadEnded) ended += 1
      val left = trial.spark.sparkContext.statusTracker.getActiveJobIds().length
      Seq(
        (millis > Limit) -> s"query $number ended $millis ms after it was cancelled",
        (left > 0) -> s"query $number left $left jobs"
      ).collect { case (true, what) => what }
    }
    val wrong =
      try Seq.range(0, trial.options.cancels).flatMap(one)
      finally thread.shutdownNow()
    println(s"   ${trial.options.cancels} cancelled, $ended of them had ended; slowest $slowest ms")
    wrong
  }

  /** Milliseconds from the cancellation until nothing runs, and whether the query had ended. */
  private def cancelled(
      session: SparkSession,
      number: Int,
      delay: Int,
      threshold: String,
      thread: ExecutorService): (Long, Boolean) = {
    val context = session.sparkContext
    val group = s"cancel-$number"
    val query = thread.submit(() => {
      context.setJobGroup(group, group, interruptOnCancel = true)
      Confs.during(session, Map("spark.sql.autoBroadcastJoinThreshold" -> threshold)) {
        Try(session.sql(queries(number % queries.size)).collect()).isSuccess
      }
    })
    Thread.sleep(delay.toLong)
    val start = System.nanoTime()
    def millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
    // A query starts further jobs as long as it has not noticed.
    while (!query.isDone && millis < 20 * Limit) {
      context.cancelJobGroup(group)
      Thread.sleep(20)
    }
    while (context.statusTracker.getActiveJobIds().nonEmpty && millis < 20 * Limit) Thread.sleep(10)
    (millis, query.isDone && query.get())
  }
}
