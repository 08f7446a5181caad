// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench

import java.util.Locale

/** Formats numbers for the reports. */
object Figures {

  def seconds(milliseconds: Double): String = decimals(milliseconds / 1000, 2) + " s"

  def milliseconds(value: Double): String = decimals(value, if (value.abs < 10) 3 else 1) + " ms"

  def ratio(value: Double): String = decimals(value, 2) + "x"

  def bytes(value: Long): String =
    if (value < 1000000) decimals(value / 1e3, 0) + " kB" else decimals(value / 1e6, 1) + " MB"

  def count(value: Long): String = String.format(Locale.ROOT, "%,d", Long.box(value))

  private def decimals(value: Double, places: Int): String =
    String.format(Locale.ROOT, s"%.${places}f", Double.box(value))
}
