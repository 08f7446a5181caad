// SPDX-License-Identifier: Apache-2.0
package io.sparksieve

import org.apache.spark.SPARK_VERSION

/** The Spark line on which the tests run. */
object TestedLine {

  private val numbers: (Int, Int) = of(SPARK_VERSION)

  /** @param line a line, such as 4.1 */
  def atLeast(line: String): Boolean = Ordering[(Int, Int)].gteq(numbers, of(line))

  /** @param line a line, such as 4.2 */
  def is(line: String): Boolean = numbers == of(line)

  private def of(version: String): (Int, Int) = version.split('.') match {
    case Array(major, minor, _*) => (major.toInt, minor.toInt)
    case _ => throw new IllegalArgumentException(s"no version of Spark: $version")
  }
}
