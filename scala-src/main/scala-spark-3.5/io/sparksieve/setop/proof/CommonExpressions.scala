// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.spark.sql.catalyst.expressions.Expression

/** Does nothing: Spark 3.5 copies an operand to each place that uses it, and has no `With`. */
private[proof] object CommonExpressions {

  def inlined(e: Expression): Expression = e
}
