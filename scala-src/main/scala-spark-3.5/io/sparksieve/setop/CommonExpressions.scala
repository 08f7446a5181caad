package io.sparksieve.setop

import org.apache.spark.sql.catalyst.expressions.Expression

/** Spark 3.5 repeats what an expression refers to more than once: there is nothing to inline. */
object CommonExpressions {

  def inlined(e: Expression): Expression = e
}
