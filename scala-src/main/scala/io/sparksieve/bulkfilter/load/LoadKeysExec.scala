// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.concurrent.{ExecutionException, Future}

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.{
  BaseSubqueryExec,
  LeafExecNode,
  SQLExecution,
  SparkPlan,
  UnaryExecNode
}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.sieve.Sizes

import io.sparksieve.common.{DaemonThreads, Numbers}
import io.sparksieve.report.core.{Features, Measured, Report}

/** Gets the values of a leaf, from the cache or by reading them; runs once, on its own thread. */
private[bulkfilter] final case class LoadKeysExec(child: KeyFilesExec)
    extends BaseSubqueryExec
    with UnaryExecNode
    with Measured {

  override def name: String = "values"

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numKeys" -> SQLMetrics.createMetric(sparkContext, "number of values"),
    "keySetBytes" -> SQLMetrics.createSizeMetric(sparkContext, "size of the sets"),
    "waitTime" -> SQLMetrics.createTimingMetric(sparkContext, "time to have the values")
  )

  private def members = child.members

  /** Counts of sampled rows by set, if the leaf probes several sets side by side. */
  @transient private[bulkfilter] lazy val counts: Option[LeafCounts] = members match {
    case _: SideBySide[_] => Some(LeafCounts.registered(sparkContext))
    case _ => None
  }

  // Set when the values are available; used by the report.
  @transient @volatile private var loaded: ValueSet[OneSet] = _

  @transient private lazy val future: Future[Either[Throwable, ValueSet[OneSet]]] = {
    val executionId = sparkContext.getLocalProperty(SQLExecution.EXECUTION_ID_KEY)
    SQLExecution.withThreadLocalCaptured(session, DaemonThreads.unbounded) {
      // Returned, not thrown: after an exception, Spark 3.5 does not reset the thread's state.
      try Right(SQLExecution.withExecutionId(session, executionId)(load(executionId)))
      catch { case e: Throwable => Left(e) }
    }
  }

  private def load(executionId: String): ValueSet[OneSet] = {
    val start = System.nanoTime()
    val (found, sets) = LoadValues(session, members)
    loaded = found
    longMetric("waitTime") += (System.nanoTime() - start) / 1000000
    longMetric("numKeys") += sets.map(_.size).sum
    longMetric("keySetBytes") += sets.map(_.byteSize).sum
    SQLMetrics.postDriverMetricUpdates(sparkContext, executionId, metrics.values.toSeq)
    found
  }

  /** Waits for the values. Throws the exception that reading them threw. */
  def await(): ValueSet[OneSet] =
    try future.get().fold(e => throw e, identity)
    catch { case e: ExecutionException => throw e.getCause }

  override protected def doPrepare(): Unit = {
    future
    ()
  }

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException(s"$nodeName returns values, not rows.")

  override def measurements: Seq[Report.Entry] = members.leaves.flatMap { file =>
    file.entry.flatMap(_.known).collect { case keys: LoadedKeys =>
      val said =
        LoadKeysExec.say(keys) + share(file).fold("")(s =>
          s"; ${Numbers.percent(s)} of rows looked at hold one")
      Report.measured(Features.BulkFilter, nodeName, file.source.label, said)
    }
  } ++ together.map(Report.measured(Features.BulkFilter, nodeName, ValueSet.sql(members, "key"), _))

  /** Of the sampled rows that probed several files side by side, the share found in `file`. */
  private def share(file: FileKeys): Option[Double] = (members, counts.map(_.value)) match {
    case (SideBySide(parts), Some(count)) if count.rows > 0 =>
      Some(count.found(parts.indexOf(file)).toDouble / count.rows)
    case _ => None
  }

  private def together: Option[String] = members match {
    case SideBySide(parts) if parts.size > 1 =>
      Option(loaded).map {
        case OneSet(masks) =>
          s"looked up together: ${Numbers.counted(masks.size, "value")} " +
            s"(${masks.kind}, ${Sizes.show(masks.byteSize)})"
        case _ =>
          "looked up one by one: together they would take more than the caps allow, or far more than apart"
      }
    case _ => None
  }

  override def nodeName: String = "LoadKeys"

  override protected def withNewChildInternal(newChild: SparkPlan): LoadKeysExec =
    copy(child = newChild.asInstanceOf[KeyFilesExec])
}

private[bulkfilter] object LoadKeysExec {

  def of(members: ValueSet[FileKeys]): LoadKeysExec = LoadKeysExec(KeyFilesExec(members))

  def say(loaded: LoadedKeys): String = {
    val LoadedKeys(keys, stats) = loaded
    val skipped =
      if (stats.invalid > 0) s", ${Numbers.counted(stats.invalid, "invalid value")} left out"
      else ""
    s"${Numbers.counted(keys.size, "value")} (${keys.kind}, ${Sizes.show(keys.byteSize)}) of " +
      s"${Numbers.counted(stats.rows, "row")} in ${Numbers.time(stats.millis)}; " +
      s"${Numbers.counted(stats.nulls, "NULL")}$skipped"
  }
}

/** Shows the files of a leaf in EXPLAIN. */
private[load] final case class KeyFilesExec(members: ValueSet[FileKeys]) extends LeafExecNode {

  override def output: Seq[Attribute] = Nil

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException(s"$nodeName is read by LoadKeys.")

  override def nodeName: String = "KeyFiles"

  override def simpleString(maxFields: Int): String = s"$nodeName ${ValueSet.sql(members, "key")}"
}
