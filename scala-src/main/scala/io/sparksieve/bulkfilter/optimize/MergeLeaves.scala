// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{FileKeys, ValueSet}
import io.sparksieve.common.SameExpression

/**
 * Merges the leaves on a key into one leaf:
 * {{{
 *   a IN f AND a IN g AND NOT a IN h    =>    a IN (f ∩ g) − h
 *   a IN f OR  a IN g OR  NOT a IN h    =>    NOT a IN h − (f ∪ g)
 * }}}
 * All leaves on a key are unknown for the same keys, the NULL keys, so the merged leaf gives the
 * same answer there. That holds for keys of one column, and for keys of several columns if no
 * column is nullable. For a key of several columns with a NULL, the answer may be false for one
 * file and unknown for another.
 *
 * `coalesce(leaf, b)`, which Include and Exclude generate to keep NULLs, differs from the leaf only
 * for NULL keys. The AND or OR of the leaves' answers for a NULL key is known without a lookup, and
 * becomes the answer of the merged leaf:
 * {{{
 *   NOT coalesce(a IN f, false) AND NOT coalesce(a IN g, false)  =>  coalesce(NOT a IN f ∪ g, true)
 *   a IN f AND NOT coalesce(a IN g, false)                       =>  a IN f − g
 * }}}
 */
private[bulkfilter] object MergeLeaves {

  /** A leaf, maybe negated; `atNull` is the answer for a NULL key, None if that answer is NULL. */
  private final case class LeafTest(leaf: InFile, isDenied: Boolean, atNull: Option[Boolean])

  private def leafTest(e: Expression): Option[LeafTest] = e match {
    case leaf: InFile if mayMerge(leaf) => Some(LeafTest(leaf, isDenied = false, None))
    case Not(child) => leafTest(child).map(a => LeafTest(a.leaf, !a.isDenied, a.atNull.map(!_)))
    case Coalesce(Seq(child, Literal(value: Boolean, BooleanType))) =>
      leafTest(child).map(a => a.copy(atNull = a.atNull.orElse(Some(value))))
    case _ => None
  }

  /** The AND or OR of the parts' answers for a NULL key; None if it is NULL. */
  private def atNull(parts: Seq[LeafTest], isAnd: Boolean): Option[Boolean] =
    if (parts.exists(_.atNull.contains(!isAnd))) Some(!isAnd)
    else if (parts.exists(_.atNull.isEmpty)) None
    else Some(isAnd)

  private def mayMerge(leaf: InFile) =
    leaf.keys.forall(_.deterministic) && (leaf.keys.size == 1 || !leaf.nullable) &&
      leaf.members.leaves.forall(_.entry.nonEmpty)

  /** Merges leaves among the parts of an AND or OR. A merged leaf is placed where the first was. */
  def apply(parts: Seq[Expression], isAnd: Boolean): Seq[Expression] = {
    val found = parts.map(p => p -> leafTest(p))
    val keys = found.flatMap(_._2).map(_.leaf.keys).foldLeft(Vector.empty[Seq[Expression]]) {
      (known, next) => if (known.exists(SameExpression(_, next))) known else known :+ next
    }
    keys
      .foldLeft(found) { (left, key) =>
        val mine = left.collect { case (_, Some(a)) if isOf(a, key) => a }
        if (mine.size < 2) left
        else {
          val one = merged(mine, isAnd)
          val made = atNull(mine, isAnd).filter(_ => one.nullable).fold(one) { value =>
            Coalesce(Seq(one, Literal(value)))
          }
          val first = left.indexWhere { case (_, a) => a.exists(isOf(_, key)) }
          left.zipWithIndex.flatMap {
            case (_, i) if i == first => Some(made -> None)
            case ((_, Some(a)), _) if isOf(a, key) => None
            case (other, _) => Some(other)
          }
        }
      }
      .map(_._1)
  }

  private def isOf(a: LeafTest, key: Seq[Expression]) = SameExpression(a.leaf.keys, key)

  private def merged(parts: Seq[LeafTest], isAnd: Boolean): Expression = {
    val keys = parts.head.leaf.keys
    val (denied, plain) = parts.partition(_.isDenied)
    val (in, out) = (plain.map(_.leaf.members).distinct, denied.map(_.leaf.members).distinct)
    def leaf(members: ValueSet[FileKeys]) = InFile(keys, members)
    (in, out, isAnd) match {
      case (_, Seq(), true) => leaf(ValueSet.all(in))
      case (_, Seq(), false) => leaf(ValueSet.any(in))
      case (Seq(), _, true) => Not(leaf(ValueSet.any(out)))
      case (Seq(), _, false) => Not(leaf(ValueSet.all(out)))
      case (_, _, true) =>
        ValueSet.without(ValueSet.all(in), ValueSet.any(out)).fold(nothing(keys))(leaf(_))
      case (_, _, false) =>
        ValueSet.without(ValueSet.all(out), ValueSet.any(in)) match {
          case None => Not(nothing(keys))
          case Some(members) => Not(leaf(members))
        }
    }
  }

  /** An expression that is false, or NULL for a NULL key. */
  private def nothing(keys: Seq[Expression]): Expression =
    if (keys.exists(_.nullable))
      And(keys.map(IsNull(_): Expression).reduce(Or(_, _)), Literal(null, BooleanType))
    else Literal.FalseLiteral
}
