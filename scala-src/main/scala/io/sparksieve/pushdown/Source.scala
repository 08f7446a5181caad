// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression

import io.sparksieve.report.core.{Layer, NotPushed, NotPushedReason, Step}

/** The source of a scan, and how the source handles predicates. */
private[pushdown] trait Source {

  /** The format, or another kind of source. */
  def name: String

  /** The table, file or view that is read. */
  def place: String

  /** Predicates that the scan node itself holds. */
  def own: Seq[Expression] = Nil

  /** Whether a predicate is internal to the source, so that reports leave it out. */
  def hides: Expression => Boolean = _ => false

  /**
   * How a predicate is handled before Spark receives a row.
   *
   * @param alsoBySpark
   *   whether Spark evaluates the predicate too
   * @return
   *   the steps, or the reason why there are none
   */
  def answer(predicate: Expression, alsoBySpark: Boolean): Source.Answer
}

private[pushdown] object Source {

  type Answer = Either[NotPushed, Seq[Step]]

  def blamed(obstacle: NotPushedReason, detail: String = ""): Answer = Left(
    NotPushed(obstacle, detail))

  def does(layer: Layer, how: String): Answer = Right(Seq(Step(layer, how)))
}
