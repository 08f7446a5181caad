package io.sparksieve.report.pushdown

import org.apache.spark.sql.catalyst.expressions.Expression

/** What a scan reads, and what it does with predicates. */
private[pushdown] trait Source {

  /** The format, or what else gives the rows. */
  def name: String

  /** The table, file or view that is read. */
  def place: String

  /** Predicates that the scan holds itself. */
  def own: Seq[Expression] = Nil

  /** Whether a predicate is the source's own affair, and none that anybody wrote. */
  def hides: Expression => Boolean = _ => false

  /**
   * What is done with a predicate before Spark sees a row.
   *
   * @param askedBySpark
   *   whether Spark asks it too
   * @return
   *   the steps, or why there are none
   */
  def answer(predicate: Expression, askedBySpark: Boolean): Source.Answer
}

private[pushdown] object Source {

  type Answer = Either[Blame, Seq[Step]]

  def blamed(obstacle: Obstacle, detail: String = ""): Answer = Left(Blame(obstacle, detail))

  def does(layer: Layer, how: String): Answer = Right(Seq(Step(layer, how)))
}
