// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import java.util.concurrent.LinkedBlockingQueue

import scala.annotation.tailrec
import scala.concurrent.{ExecutionContext, ExecutionContextExecutor}
import scala.util.Try

import org.apache.spark.rdd.RDD

/**
 * Runs one job over an RDD whose partitions have one element each, and uses each element when it
 * arrives, as `RDD.collect` cannot.
 */
private[exec] object EachPartition {

  /**
   * Passes the elements to `use`, on this thread and in any order. Fails if the job or `use` fails;
   * the job is cancelled then.
   */
  def apply[T](rdd: RDD[T])(use: T => Unit): Unit = {
    val arrived = new LinkedBlockingQueue[Either[Try[Unit], T]]
    val job = rdd.sparkContext.submitJob[T, T, Unit](
      rdd,
      _.next(),
      rdd.partitions.indices,
      (_, element) => arrived.put(Right(element)),
      ())

    @tailrec
    def next(): Unit = arrived.take() match {
      case Right(element) =>
        use(element)
        next()
      case Left(end) => end.get
    }

    // Spark has passed on all elements when the job has ended.
    job.onComplete(end => arrived.put(Left(end)))(OnSameThread)
    try next()
    catch {
      case e: Throwable =>
        job.cancel()
        throw e
    }
  }

  private object OnSameThread extends ExecutionContextExecutor {
    override def execute(task: Runnable): Unit = task.run()
    override def reportFailure(cause: Throwable): Unit =
      ExecutionContext.defaultReporter(cause)
  }
}
