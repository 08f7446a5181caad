// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.fused

import io.sparksieve.keyset.BatchEvaluator.{False, Null, True}

/**
 * A tree of leaves whose keys have been evaluated already. Implements SQL's three-valued logic, for
 * one row or for a word of 64 rows. For a word, one long has the rows for which the tree is true,
 * and another long the rows for which it is false.
 */
private[bulkfilter] sealed abstract class MembershipTree extends Serializable {

  /** True, False or Null, the constants of [[io.sparksieve.keyset.BatchEvaluator]]. */
  def ofRow(evaluator: MembershipEvaluator): Int

  /** Evaluates a word of rows; stores the answers in the evaluator's isTrue and isFalse at `depth`. */
  def ofWord(evaluator: MembershipEvaluator, depth: Int): Unit

  /** Number of levels, including this node. */
  def height: Int

  def leaves: Int

  /** The tree as text, for reports. */
  def show(leaf: Probe => String): String
}

/** Tests whether a key is in a set. @param set the index of the set among those of the key */
private[bulkfilter] final case class Probe(key: Int, set: Int) extends MembershipTree {

  override def ofRow(evaluator: MembershipEvaluator): Int = evaluator.ofRow(key, set)

  override def ofWord(evaluator: MembershipEvaluator, depth: Int): Unit =
    evaluator.ofWord(key, set, depth)

  override def height: Int = 1

  override def leaves: Int = 1

  override def show(leaf: Probe => String): String = leaf(this)
}

/**
 * AND or OR.
 *
 * @param decisive
 *   the answer of a part that decides the whole: False for AND, True for OR
 */
private[bulkfilter] sealed abstract class Connective(
    parts: Seq[MembershipTree],
    decisive: Int,
    word: String)
    extends MembershipTree {

  private val each = parts.toArray
  private val otherwise = if (decisive == True) False else True

  override def ofRow(evaluator: MembershipEvaluator): Int = {
    var answer = otherwise
    var i = 0
    while (i < each.length && answer != decisive) {
      val part = each(i).ofRow(evaluator)
      if (part != otherwise) answer = part
      i += 1
    }
    answer
  }

  override def ofWord(evaluator: MembershipEvaluator, depth: Int): Unit = {
    each(0).ofWord(evaluator, depth)
    val decided = if (decisive == True) evaluator.isTrue else evaluator.isFalse
    val undecided = if (decisive == True) evaluator.isFalse else evaluator.isTrue
    var i = 1
    // Stops when all rows are decided.
    while (i < each.length && decided(depth) != -1L) {
      each(i).ofWord(evaluator, depth + 1)
      decided(depth) |= decided(depth + 1)
      undecided(depth) &= undecided(depth + 1)
      i += 1
    }
  }

  override lazy val height: Int = 1 + parts.map(_.height).max

  override def leaves: Int = parts.map(_.leaves).sum

  override def show(leaf: Probe => String): String =
    parts.map(_.show(leaf)).mkString("(", s" $word ", ")")
}

private[bulkfilter] final case class AllTrue(parts: Seq[MembershipTree])
    extends Connective(parts, False, "AND")

private[bulkfilter] final case class AnyTrue(parts: Seq[MembershipTree])
    extends Connective(parts, True, "OR")

private[bulkfilter] final case class Opposite(part: MembershipTree) extends MembershipTree {

  override def ofRow(evaluator: MembershipEvaluator): Int = part.ofRow(evaluator) match {
    case Null => Null
    case other => other ^ 1
  }

  override def ofWord(evaluator: MembershipEvaluator, depth: Int): Unit = {
    part.ofWord(evaluator, depth)
    val isTrue = evaluator.isTrue(depth)
    evaluator.isTrue(depth) = evaluator.isFalse(depth)
    evaluator.isFalse(depth) = isTrue
  }

  override def height: Int = part.height

  override def leaves: Int = part.leaves

  override def show(leaf: Probe => String): String = s"NOT ${part.show(leaf)}"
}

/** Replaces NULL in the answer of `part`. @param value the replacement */
private[bulkfilter] final case class NeverNull(part: MembershipTree, value: Boolean)
    extends MembershipTree {

  override def ofRow(evaluator: MembershipEvaluator): Int = part.ofRow(evaluator) match {
    case Null => if (value) True else False
    case other => other
  }

  override def ofWord(evaluator: MembershipEvaluator, depth: Int): Unit = {
    part.ofWord(evaluator, depth)
    if (value) evaluator.isTrue(depth) = ~evaluator.isFalse(depth)
    else evaluator.isFalse(depth) = ~evaluator.isTrue(depth)
  }

  override def height: Int = part.height

  override def leaves: Int = part.leaves

  override def show(leaf: Probe => String): String = s"coalesce(${part.show(leaf)}, $value)"
}
