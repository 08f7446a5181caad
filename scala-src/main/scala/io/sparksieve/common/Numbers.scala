package io.sparksieve.common

import java.util.Locale

/** Writes numbers for readers: in reports and in Spark's UI, alike whatever the JVM's locale is. */
private[sparksieve] object Numbers {

  /** For example `1,234`. */
  def count(n: Long): String = String.format(Locale.ROOT, "%,d", Long.box(n))

  /** With so many digits behind the point, for example `1,234.5`. */
  def decimal(value: Double, digits: Int): String =
    String.format(Locale.ROOT, s"%,.${digits}f", Double.box(value))

  /** With so many digits in all, for example `0.1000`. */
  def significant(value: Double, digits: Int): String =
    String.format(Locale.ROOT, s"%.${digits}g", Double.box(value))

  /** A share of 1 in percent, for example `12.3 %`. */
  def percent(share: Double): String = s"${decimal(100 * share, 1)} %"
}
