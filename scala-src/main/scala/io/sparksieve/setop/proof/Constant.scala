package io.sparksieve.setop.proof

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression, Literal}

/**
 * A literal, or one that analysis has cast to the type of the column it is compared with, as in
 * `id < 3` where id is a BIGINT. Yields the value, which may be null.
 */
private[sparksieve] object Constant {
  def unapply(e: Expression): Option[Any] = e match {
    case l: Literal => Some(l.value)
    // In ANSI mode the cast of a string may fail; then the query itself raises the error.
    case c: Cast if Constant.unapply(c.child).nonEmpty => Try(c.eval()).toOption
    case _ => None
  }
}
