// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.common

import java.math.MathContext
import java.util.Locale

/** Writes numbers for readers: in reports and in Spark's UI, alike whatever the JVM's locale is. */
private[sparksieve] object Numbers {

  /** For example `1,234`. */
  def count(n: Long): String = String.format(Locale.ROOT, "%,d", Long.box(n))

  /** With its noun, for example `1 row` and `1,234 rows`. */
  def counted(n: Long, one: String): String = counted(n, one, one + "s")

  def counted(n: Long, one: String, many: String): String =
    s"${count(n)} ${if (n == 1) one else many}"

  /** The part of a whole, for example `0 of 1 file` and `3 of 1,234 files`. */
  def of(part: Long, whole: Long, one: String): String = s"${count(part)} of ${counted(whole, one)}"

  /** With so many digits behind the point, for example `1,234.5`. */
  def decimal(value: Double, digits: Int): String =
    String.format(Locale.ROOT, s"%,.${digits}f", Double.box(value))

  /** With so many digits in all, without zeros at the end, for example `0.1` and `2`. */
  def significant(value: Double, digits: Int): String =
    if (value.isInfinite || value.isNaN) value.toString
    else
      BigDecimal(value).round(new MathContext(digits)).bigDecimal.stripTrailingZeros.toPlainString

  /** A share of 1 in percent, for example `12.3 %`. */
  def percent(share: Double): String = s"${decimal(100 * share, 1)} %"

  /** A time, for example `418 ms` and `12.3 s`. */
  def time(millis: Long): String =
    if (millis < 1000) s"$millis ms" else s"${decimal(millis / 1000.0, 1)} s"
}
