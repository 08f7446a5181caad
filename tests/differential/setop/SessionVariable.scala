// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.setop

import org.apache.spark.sql.SparkSession

import io.sparksieve.TestedLine

/**
 * Replaces a double that a condition compares with by a session variable, which is set to it. The
 * next condition sets it anew: Spark takes the value that it has when a DataFrame is made.
 */
final class SessionVariable(spark: SparkSession) extends (String => String) {
  import SessionVariable._

  override def apply(condition: String): String =
    Compared.findFirstMatchIn(condition).fold(condition) { found =>
      spark.sql(s"DECLARE OR REPLACE VARIABLE $Name DOUBLE")
      spark.sql(s"SET VARIABLE $Name = ${found.group(2)}")
      s"${found.before}${found.group(1)}$Name${found.after}"
    }
}

object SessionVariable {

  /** Spark 3.5 has none. */
  val exists: Boolean = TestedLine.atLeast("4.0")

  private val Name = "variable0"

  private val Compared = """([=<>] )(-?\d+\.\d+D)""".r
}
