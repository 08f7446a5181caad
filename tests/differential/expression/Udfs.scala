// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.expression

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.sieve.PythonFunctions

/** User-defined functions that throw for unsupported arguments, in ANSI mode or not. */
object Udfs {

  /** The length of a string; throws for NULL. */
  val Present = "present"

  /** The number that a string of digits represents. */
  val Parsed = "parsed"

  /** Both functions in Python. */
  private val InPython =
    Seq(s"py_$Present" -> "lambda s: len(s)", s"py_$Parsed" -> "lambda s: int(s)")

  /** The Python executable with the pyspark of this version of Spark, if there is one. */
  private val python = sys.props.get("sieve.python")

  /** The registered names of a function: in Scala and, if there is a Python, in Python. */
  def named(function: String): Seq[String] = function +: python.toSeq.map(_ => s"py_$function")

  def register(spark: SparkSession): Unit = {
    spark.udf.register(
      Present,
      (s: String) =>
        if (s == null) throw new NumberFormatException("NULL is not guarded") else s.length)
    spark.udf.register(Parsed, (s: String) => s.toInt)
    python.foreach(PythonFunctions.register(spark, _, InPython))
  }
}
