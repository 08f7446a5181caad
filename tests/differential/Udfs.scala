package io.sparksieve.differential

import org.apache.spark.sql.SparkSession

/** Functions of a user's, which fail for what they are not made for, under ANSI mode or not. */
object Udfs {

  /** The length of a string that is not NULL. */
  val Present = "present"

  /** The number that a string of digits is. */
  val Parsed = "parsed"

  def register(spark: SparkSession): Unit = {
    spark.udf.register(
      Present,
      (s: String) =>
        if (s == null) throw new NumberFormatException("NULL is not guarded") else s.length)
    spark.udf.register(Parsed, (s: String) => s.toInt)
    ()
  }
}
