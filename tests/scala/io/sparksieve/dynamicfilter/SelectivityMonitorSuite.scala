// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter

import org.scalatest.funsuite.AnyFunSuite

import io.sparksieve.dynamicfilter.exec.SelectivityMonitor

/** When a task stops testing rows, and when it samples again. */
class SelectivityMonitorSuite extends AnyFunSuite {

  private val Window = SelectivityMonitor.Window

  /** Passes `rows` rows to the monitor, and returns how many of them it tested. */
  private def tested(watch: SelectivityMonitor, rows: Int)(passes: Int => Boolean): Int =
    (0 until rows).count { row =>
      val tests = watch.tests()
      if (tests) {
        if (passes(row)) watch.kept() else watch.dropped()
      }
      tests
    }

  test("a filter that drops most rows tests them all") {
    val watch = new SelectivityMonitor(maxPass = 0.5)
    assert(tested(watch, 100 * Window)(_ % 3 == 0) == 100 * Window)
    assert(!watch.gaveUp && watch.in == 100L * Window && watch.out < watch.in / 2)
  }

  test("a filter that keeps most rows lets them pass, and looks again ever later") {
    val watch = new SelectivityMonitor(maxPass = 0.5)
    assert(tested(watch, Window)(_ => true) == Window)
    assert(tested(watch, 16 * Window)(_ => true) == 0)
    assert(tested(watch, Window)(_ => true) == Window)
    assert(tested(watch, 32 * Window)(_ => true) == 0)
    assert(watch.gaveUp && watch.out == watch.in)
  }

  test("rows that were kept at first and are dropped later are tested again") {
    val watch = new SelectivityMonitor(maxPass = 0.5)
    tested(watch, 17 * Window)(_ => true)
    assert(tested(watch, 50 * Window)(_ => false) == 50 * Window)
    assert(watch.out == 17L * Window)
  }

  test("the share is what is given") {
    val watch = new SelectivityMonitor(maxPass = 0.9)
    assert(tested(watch, 20 * Window)(_ % 10 < 8) == 20 * Window)
    assert(tested(watch, 20 * Window)(_ % 100 < 95) < 20 * Window)
  }
}
