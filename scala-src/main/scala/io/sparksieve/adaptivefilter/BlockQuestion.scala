package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.keyset.{AskedInBlocks, AskedTogether, BlockAsker}

/** A predicate of which a block of rows is asked at a time. */
private[adaptivefilter] sealed abstract class BlockQuestion

/**
 * A predicate that asks nothing but whether a key is in a set, or is not.
 *
 * @param whenFound
 *   whether a row passes whose key is in the set; one whose key is not does the opposite
 * @param whenNull
 *   whether a row passes whose key is NULL
 */
private[adaptivefilter] final case class SetQuestion(
    leaf: AskedInBlocks,
    whenFound: Boolean,
    whenNull: Boolean)
    extends BlockQuestion

/**
 * A predicate that asks what one of several keys says.
 *
 * @param passes
 *   bit i is 1 if a row passes whose answer is i, as [[BlockAsker]] has them
 */
private[adaptivefilter] final case class TreeQuestion(tree: AskedTogether, passes: Int)
    extends BlockQuestion

private[adaptivefilter] object BlockQuestion {

  /**
   * None for every predicate that is more than what is asked in blocks, its negation or that it is
   * not true.
   */
  def of(predicate: Expression): Option[BlockQuestion] = predicate.find(isAsked).flatMap { asked =>
    def passes(answer: Any) = predicate
      .transform {
        case e if e eq asked => Literal.create(answer, BooleanType)
      }
      .eval() == true
    asked match {
      case _ if !isPlain(predicate) => None
      case leaf: AskedInBlocks =>
        val whenFound = passes(true)
        if (passes(false) == whenFound) None
        else Some(SetQuestion(leaf, whenFound, passes(null)))
      case tree: AskedTogether =>
        val bits = Seq(
          BlockAsker.False -> passes(false),
          BlockAsker.True -> passes(true),
          BlockAsker.Null -> passes(null))
        Some(TreeQuestion(tree, bits.collect { case (i, true) => 1 << i }.sum))
      case _ => None
    }
  }

  private def isAsked(e: Expression) = e match {
    case leaf: AskedInBlocks => leaf.takesBlocks
    case _ => e.isInstanceOf[AskedTogether]
  }

  private def isPlain(predicate: Expression): Boolean = isAsked(predicate) || (predicate match {
    case Not(child) => isPlain(child)
    case EqualNullSafe(child, Literal.TrueLiteral) => isPlain(child)
    case _ => false
  })
}
