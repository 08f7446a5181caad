// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import java.util.concurrent.{ExecutionException, Future, TimeUnit, TimeoutException}

import scala.util.control.NonFatal

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.execution.{BaseSubqueryExec, SQLExecution, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.sieve.{BroadcastKeys, Sizes}

import io.sparksieve.common.{DaemonThreads, Numbers}
import io.sparksieve.dynamicfilter.optimize.KeyCaps
import io.sparksieve.keyset.{KeySet, KeySetBytes, SharedKeys}

/**
 * Collects the keys of a join's creation side, once, on a thread of its own.
 *
 * A failure here disables the filter and does not fail the query: a side that fails will fail in
 * the join too, with the same error as without Sieve.
 *
 * @param broadcastIndex
 *   the position in `buildKeys` of the key to read from the broadcast that `child` creates; None if
 *   `child` is a subquery that returns one serialised set
 * @param buildKeys
 *   the join's keys on the creation side, in the order of the broadcast; empty without a broadcast
 * @param pinned
 *   whether the creation side yields the same rows each time it is read; if not, the keys are used
 *   only if they are read from the same broadcast as the join's
 */
private[dynamicfilter] final case class KeysSubqueryExec(
    name: String,
    broadcastIndex: Option[Int],
    buildKeys: Seq[Expression],
    caps: KeyCaps,
    pinned: Boolean,
    child: SparkPlan)
    extends BaseSubqueryExec
    with UnaryExecNode {

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numKeys" -> SQLMetrics.createMetric(sparkContext, "number of keys"),
    "keySetBytes" -> SQLMetrics.createSizeMetric(sparkContext, "size of the key set"),
    "collectTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to collect the keys")
  )

  /**
   * The result, as text for a reader: the number, form and size of the keys, or on the left why
   * there are none.
   */
  def outcome: Either[String, String] =
    if (missing != null) Left(missing)
    else {
      val size = Sizes.show(longMetric("keySetBytes").value)
      val time = Numbers.time(longMetric("collectTime").value)
      Right(s"$summary ($size) collected in $time")
    }

  /** Whether someone has waited for the keys: [[outcome]] is known. */
  def hasEnded: Boolean = ended

  @transient @volatile private var ended = false

  @transient @volatile private var missing: String = _

  @transient @volatile private var summary: String = _

  @transient private lazy val begun: Long = System.nanoTime()

  @transient private lazy val future: Future[Option[SharedKeys]] = {
    val executionId = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLExecution.withThreadLocalCaptured(session, DaemonThreads.unbounded) {
      SQLExecution.withExecutionId(session, executionId) {
        val start = System.nanoTime()
        val keys =
          try collect(executionId)
          catch {
            case NonFatal(e) =>
              missing = s"collecting keys failed: $e"
              logWarning(s"Sieve could not collect keys ($name); nothing is filtered by them: $e")
              None
          }
        longMetric("collectTime") += TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
        keys.foreach { set =>
          summary = set.summary
          longMetric("numKeys") += set.size
          longMetric("keySetBytes") += set.byteSize
        }
        SQLMetrics.postDriverMetricUpdates(sparkContext, executionId, metrics.values.toSeq)
        keys.map(SharedKeys(sparkContext, _))
      }
    }
  }

  private def collect(executionId: String): Option[KeySet] = {
    val set = broadcastIndex match {
      case Some(index) =>
        val builder = caps.builder(buildKeys(index).dataType)
        BroadcastKeys.collect(child, buildKeys, index) { key =>
          builder.add(key)
          !builder.gaveUp
        }
        if (pinned || JoinsBroadcast.isSame(child, buildKeys, executionId)) builder.result()
        else {
          missing = "the side may give other rows when it is read again, as it would be here"
          None
        }
      case None =>
        val row = child.executeCollect().head
        if (row.isNullAt(0)) None else Some(KeySetBytes.decode(row.getBinary(0)))
    }
    if (set.isEmpty && missing == null) missing = "the keys are more than their configs allow"
    set
  }

  /**
   * Waits for the keys, at most for the time that the caps allow since their collection began; below
   * a broadcast, that is less. None if they are late or could not be collected. Takes no lock of the plan: the collecting thread needs
   * the lock of this operator.
   */
  def await(): Option[SharedKeys] = {
    val allowed = if (WaitingThreads.isBroadcasts) caps.broadcastMs else caps.timeoutMs
    val deadline = begun + TimeUnit.MILLISECONDS.toNanos(allowed)
    try
      WaitingThreads(future.get(0, TimeUnit.NANOSECONDS)) {
        future.get(math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)
      }
    catch {
      case _: TimeoutException =>
        missing =
          if (System.nanoTime() >= deadline) s"the keys were not there after $allowed ms"
          else "too many of Spark's threads for broadcasts wait for keys"
        None
      case e: ExecutionException =>
        missing = s"collecting keys failed: ${e.getCause}"
        logWarning(s"Sieve could not collect keys ($name); nothing is filtered by them.", e)
        None
    } finally ended = true
  }

  override protected def doPrepare(): Unit = {
    future
    begun
    ()
  }

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException(s"$nodeName returns keys, not rows.")

  override protected def doCanonicalize(): SparkPlan =
    KeysSubqueryExec(
      // Keys of a side that is not pinned are valid only for the join whose broadcast was checked.
      if (pinned) "keys" else s"keys of ${buildKeys.mkString(", ")}",
      broadcastIndex,
      buildKeys.map(QueryPlan.normalizeExpressions(_, child.output)),
      caps,
      pinned,
      child.canonicalized
    )

  override def nodeName: String = "KeysSubquery"

  override def stringArgs: Iterator[Any] = Iterator(name, s"[id=#$id]")

  override protected def withNewChildInternal(newChild: SparkPlan): KeysSubqueryExec =
    copy(child = newChild)
}
