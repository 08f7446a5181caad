// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.codegen

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.keyset.{BatchEvaluator, SupportsBatchEval, SupportsBatchLookup}

/** A predicate that can be evaluated for a block of rows at a time. */
private[adaptivefilter] sealed abstract class BatchMembershipTest

/**
 * A predicate that only tests whether a key is in a set, or is not.
 *
 * @param whenFound
 *   whether a row passes if its key is in the set; if a key is not, the opposite holds for its row
 * @param whenNull
 *   whether a row passes if its key is NULL
 */
private[adaptivefilter] final case class SetQuestion(
    leaf: SupportsBatchLookup,
    whenFound: Boolean,
    whenNull: Boolean)
    extends BatchMembershipTest

/**
 * A predicate that only tests the result of a [[SupportsBatchEval]] over several keys.
 *
 * @param passes
 *   bit i is 1 if a row with result i passes; the results are those of [[BatchEvaluator]]
 */
private[adaptivefilter] final case class TreeQuestion(tree: SupportsBatchEval, passes: Int)
    extends BatchMembershipTest

private[adaptivefilter] object BatchMembershipTest {

  /**
   * The batch form of a predicate that is an expression for blocks of rows, its negation, or the
   * test that it is (not) true. None for any other predicate, and for a set lookup whose result is
   * the same for members and other keys.
   */
  def of(predicate: Expression): Option[BatchMembershipTest] =
    predicate.find(isMembership).flatMap { membership =>
      def passes(answer: Any) = predicate
        .transform {
          case e if e eq membership => Literal.create(answer, BooleanType)
        }
        .eval() == true
      membership match {
        case _ if !isPlain(predicate) => None
        case leaf: SupportsBatchLookup =>
          val whenFound = passes(true)
          if (passes(false) == whenFound) None
          else Some(SetQuestion(leaf, whenFound, passes(null)))
        case tree: SupportsBatchEval =>
          val bits = Seq(
            BatchEvaluator.False -> passes(false),
            BatchEvaluator.True -> passes(true),
            BatchEvaluator.Null -> passes(null))
          Some(TreeQuestion(tree, bits.collect { case (i, true) => 1 << i }.sum))
        case _ => None
      }
    }

  private def isMembership(e: Expression) = e match {
    case leaf: SupportsBatchLookup => leaf.takesBlocks
    case _ => e.isInstanceOf[SupportsBatchEval]
  }

  private def isPlain(predicate: Expression): Boolean =
    isMembership(predicate) || (predicate match {
      case Not(child) => isPlain(child)
      case EqualNullSafe(child, Literal.TrueLiteral) => isPlain(child)
      case _ => false
    })
}
