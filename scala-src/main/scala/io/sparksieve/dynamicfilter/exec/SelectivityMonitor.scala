// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.TaskCompletionListener

/**
 * Decides, for one task, whether to test rows. When most rows of a sample pass, it lets rows pass
 * untested for a while and then samples again. Consecutive pauses double in length, up to a limit.
 * Used by interpreted evaluation and by generated code.
 *
 * @param maxPass
 *   the share of passing rows above which testing does not pay
 */
private[dynamicfilter] final class SelectivityMonitor(maxPass: Double) {
  import SelectivityMonitor._

  private val limit = (Window * maxPass).toInt
  private var rowsIn = 0L
  private var rowsOut = 0L
  private var tested = 0
  private var passed = 0
  private var untested = 0L
  private var pause = FirstPause
  private var everPaused = false

  /** Counts a row, and returns whether to test it; if not, the row passes. */
  def tests(): Boolean = {
    rowsIn += 1
    if (untested == 0) true
    else {
      untested -= 1
      rowsOut += 1
      false
    }
  }

  /** Counts a row that was tested and is kept. */
  def kept(): Unit = {
    rowsOut += 1
    passed += 1
    look()
  }

  /** Counts a row that was tested and is dropped. */
  def dropped(): Unit = look()

  private def look(): Unit = {
    tested += 1
    if (tested == Window) {
      if (passed > limit) {
        untested = pause
        pause = math.min(pause * 2, LongestPause)
        everPaused = true
      } else pause = FirstPause
      tested = 0
      passed = 0
    }
  }

  def in: Long = rowsIn

  def out: Long = rowsOut

  /** Whether rows have passed untested. */
  def gaveUp: Boolean = everPaused
}

private[dynamicfilter] object SelectivityMonitor {

  /** The number of rows in a sample. */
  val Window = 8192

  private val FirstPause = 16L * Window
  private val LongestPause = 64L * FirstPause

  /** Starts the monitors of tasks, and adds their counts to an operator's metrics. */
  final class Starter(maxPass: Double, in: SQLMetric, out: SQLMetric, gaveUp: SQLMetric)
      extends Serializable {

    /** Starts a monitor for the task that runs on this thread. */
    def start(): SelectivityMonitor = {
      val watch = new SelectivityMonitor(maxPass)
      Option(TaskContext.get()).foreach(_.addTaskCompletionListener(new TaskCompletionListener {
        override def onTaskCompletion(context: TaskContext): Unit = {
          in.add(watch.in)
          out.add(watch.out)
          if (watch.gaveUp) gaveUp.add(1)
        }
      }))
      watch
    }
  }
}
