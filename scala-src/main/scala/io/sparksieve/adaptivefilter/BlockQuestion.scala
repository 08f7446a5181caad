package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.keyset.AskedInBlocks

/**
 * A predicate that asks nothing but whether a key is in a set, or is not.
 *
 * @param whenFound
 *   whether a row passes whose key is in the set; one whose key is not does the opposite
 * @param whenNull
 *   whether a row passes whose key is NULL
 */
private[adaptivefilter] final case class BlockQuestion(
    leaf: AskedInBlocks,
    whenFound: Boolean,
    whenNull: Boolean)

private[adaptivefilter] object BlockQuestion {

  /** None for every predicate that is more than a leaf, its negation or that it is not true. */
  def of(predicate: Expression): Option[BlockQuestion] = leafOf(predicate).flatMap { leaf =>
    def passes(answer: Any) = predicate
      .transform {
        case e if e eq leaf => Literal.create(answer, BooleanType)
      }
      .eval() == true
    val whenFound = passes(true)
    if (passes(false) == whenFound) None
    else Some(BlockQuestion(leaf, whenFound, passes(null)))
  }

  private def leafOf(predicate: Expression): Option[AskedInBlocks] = predicate match {
    case leaf: AskedInBlocks if leaf.takesBlocks => Some(leaf)
    case Not(child) => leafOf(child)
    case EqualNullSafe(child, Literal.TrueLiteral) => leafOf(child)
    case _ => None
  }
}
