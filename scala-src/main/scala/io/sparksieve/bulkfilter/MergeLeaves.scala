package io.sparksieve.bulkfilter

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.BooleanType

import io.sparksieve.common.SameExpression

/**
 * Makes one leaf of leaves on one key:
 * {{{
 *   a IN f AND a IN g AND NOT a IN h    =>    a IN (f ∩ g) − h
 *   a IN f OR  a IN g OR  NOT a IN h    =>    NOT a IN h − (f ∪ g)
 * }}}
 * All are unknown for the same keys, those that are NULL, so the answers are equal there too. That
 * is so for keys of one column, and for more if none can be NULL: a row with a NULL may be known to
 * be in none of one file's rows, and not of another's.
 *
 * `coalesce(leaf, b)`, as Include and Exclude have it where they keep NULLs, differs at NULL alone;
 * what AND or OR makes of the answers there is known without asking, and is said of the one leaf:
 * {{{
 *   NOT coalesce(a IN f, false) AND NOT coalesce(a IN g, false)  =>  coalesce(NOT a IN f ∪ g, true)
 *   a IN f AND NOT coalesce(a IN g, false)                       =>  a IN f − g
 * }}}
 */
private[bulkfilter] object MergeLeaves {

  /** One leaf, asked or denied; `atNull` is the answer for a NULL key, None if it is NULL. */
  private final case class Asked(leaf: InFile, isDenied: Boolean, atNull: Option[Boolean])

  private def asked(e: Expression): Option[Asked] = e match {
    case leaf: InFile if mayMerge(leaf) => Some(Asked(leaf, isDenied = false, None))
    case Not(child) => asked(child).map(a => Asked(a.leaf, !a.isDenied, a.atNull.map(!_)))
    case Coalesce(Seq(child, Literal(value: Boolean, BooleanType))) =>
      asked(child).map(a => a.copy(atNull = a.atNull.orElse(Some(value))))
    case _ => None
  }

  /** AND or OR of what the parts answer for a NULL key. */
  private def atNull(parts: Seq[Asked], isAnd: Boolean): Option[Boolean] =
    if (parts.exists(_.atNull.contains(!isAnd))) Some(!isAnd)
    else if (parts.exists(_.atNull.isEmpty)) None
    else Some(isAnd)

  private def mayMerge(leaf: InFile) =
    leaf.keys.forall(_.deterministic) && (leaf.keys.size == 1 || !leaf.nullable) &&
      leaf.members.files.forall(_.entry.nonEmpty)

  /** The parts of an AND or OR with fewer leaves, each in the place of the first that it stands for. */
  def apply(parts: Seq[Expression], isAnd: Boolean): Seq[Expression] = {
    val found = parts.map(p => p -> asked(p))
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

  private def isOf(a: Asked, key: Seq[Expression]) = SameExpression(a.leaf.keys, key)

  private def merged(parts: Seq[Asked], isAnd: Boolean): Expression = {
    val keys = parts.head.leaf.keys
    val (denied, plain) = parts.partition(_.isDenied)
    val (in, out) = (plain.map(_.leaf.members).distinct, denied.map(_.leaf.members).distinct)
    def leaf(members: Members) = InFile(keys, members)
    (in, out, isAnd) match {
      case (_, Seq(), true) => leaf(Members.all(in))
      case (_, Seq(), false) => leaf(Members.any(in))
      case (Seq(), _, true) => Not(leaf(Members.any(out)))
      case (Seq(), _, false) => Not(leaf(Members.all(out)))
      case (_, _, true) =>
        Members.without(Members.all(in), Members.any(out)).fold(nothing(keys))(leaf(_))
      case (_, _, false) =>
        Members.without(Members.all(out), Members.any(in)) match {
          case None => Not(nothing(keys))
          case Some(members) => Not(leaf(members))
        }
    }
  }

  /** False, or NULL for a NULL key. */
  private def nothing(keys: Seq[Expression]): Expression =
    if (keys.exists(_.nullable))
      And(keys.map(IsNull(_): Expression).reduce(Or(_, _)), Literal(null, BooleanType))
    else Literal.FalseLiteral
}
