// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import java.lang.ref.WeakReference

/** Whether objects are freed, after some runs of the garbage collector. */
object Freed {

  private val Runs = 100
  private val MillisBetween = 200L

  def apply(references: WeakReference[_]*): Boolean = between(())(references: _*)

  /** Does `work` between the runs: a weak map lets go of a value only when it is used next. */
  def between(work: => Unit)(references: WeakReference[_]*): Boolean =
    (1 to Runs).exists { _ =>
      System.gc()
      references.forall(_.get == null) || {
        work
        Thread.sleep(MillisBetween)
        false
      }
    }
}
