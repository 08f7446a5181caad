package io.sparksieve.bulkfilter

import io.sparksieve.keyset.BlockAsker.{False, Null, True}

/**
 * A tree of leaves whose keys are known ahead. Answers in SQL's three values, for a row or for 64
 * rows at a time: then a long has the rows for which it is true, another those for which it is false.
 */
private[bulkfilter] sealed abstract class LeafTree extends Serializable {

  /** True, false or NULL, as [[io.sparksieve.keyset.BlockAsker]] has them. */
  def ofRow(asker: TreeAsker): Int

  /** Puts the answers for the rows of a word into place `depth` of the asker. */
  def ofWord(asker: TreeAsker, depth: Int): Unit

  /** Levels, its own included. */
  def height: Int

  def leaves: Int

  /** For a reader. */
  def show(leaf: Ask => String): String
}

/** Whether a key is in a set. @param set its number among those of the key */
private[bulkfilter] final case class Ask(key: Int, set: Int) extends LeafTree {

  override def ofRow(asker: TreeAsker): Int = asker.ofRow(key, set)

  override def ofWord(asker: TreeAsker, depth: Int): Unit = asker.ofWord(key, set, depth)

  override def height: Int = 1

  override def leaves: Int = 1

  override def show(leaf: Ask => String): String = leaf(this)
}

private[bulkfilter] final case class AllTrue(parts: Seq[LeafTree]) extends LeafTree {

  private val each = parts.toArray

  override def ofRow(asker: TreeAsker): Int = {
    var answer = True
    var i = 0
    while (i < each.length && answer != False) {
      val part = each(i).ofRow(asker)
      if (part != True) answer = part
      i += 1
    }
    answer
  }

  override def ofWord(asker: TreeAsker, depth: Int): Unit = {
    each(0).ofWord(asker, depth)
    var i = 1
    // The others are of no use where it is false for all rows.
    while (i < each.length && asker.isFalse(depth) != -1L) {
      each(i).ofWord(asker, depth + 1)
      asker.isTrue(depth) &= asker.isTrue(depth + 1)
      asker.isFalse(depth) |= asker.isFalse(depth + 1)
      i += 1
    }
  }

  override lazy val height: Int = 1 + parts.map(_.height).max

  override def leaves: Int = parts.map(_.leaves).sum

  override def show(leaf: Ask => String): String =
    parts.map(_.show(leaf)).mkString("(", " AND ", ")")
}

private[bulkfilter] final case class AnyTrue(parts: Seq[LeafTree]) extends LeafTree {

  private val each = parts.toArray

  override def ofRow(asker: TreeAsker): Int = {
    var answer = False
    var i = 0
    while (i < each.length && answer != True) {
      val part = each(i).ofRow(asker)
      if (part != False) answer = part
      i += 1
    }
    answer
  }

  override def ofWord(asker: TreeAsker, depth: Int): Unit = {
    each(0).ofWord(asker, depth)
    var i = 1
    while (i < each.length && asker.isTrue(depth) != -1L) {
      each(i).ofWord(asker, depth + 1)
      asker.isTrue(depth) |= asker.isTrue(depth + 1)
      asker.isFalse(depth) &= asker.isFalse(depth + 1)
      i += 1
    }
  }

  override lazy val height: Int = 1 + parts.map(_.height).max

  override def leaves: Int = parts.map(_.leaves).sum

  override def show(leaf: Ask => String): String =
    parts.map(_.show(leaf)).mkString("(", " OR ", ")")
}

private[bulkfilter] final case class Opposite(part: LeafTree) extends LeafTree {

  override def ofRow(asker: TreeAsker): Int = part.ofRow(asker) match {
    case Null => Null
    case other => other ^ 1
  }

  override def ofWord(asker: TreeAsker, depth: Int): Unit = {
    part.ofWord(asker, depth)
    val isTrue = asker.isTrue(depth)
    asker.isTrue(depth) = asker.isFalse(depth)
    asker.isFalse(depth) = isTrue
  }

  override def height: Int = part.height

  override def leaves: Int = part.leaves

  override def show(leaf: Ask => String): String = s"NOT ${part.show(leaf)}"
}

/** Its part, but not NULL. @param value what it is instead */
private[bulkfilter] final case class NeverNull(part: LeafTree, value: Boolean) extends LeafTree {

  override def ofRow(asker: TreeAsker): Int = part.ofRow(asker) match {
    case Null => if (value) True else False
    case other => other
  }

  override def ofWord(asker: TreeAsker, depth: Int): Unit = {
    part.ofWord(asker, depth)
    if (value) asker.isTrue(depth) = ~asker.isFalse(depth)
    else asker.isFalse(depth) = ~asker.isTrue(depth)
  }

  override def height: Int = part.height

  override def leaves: Int = part.leaves

  override def show(leaf: Ask => String): String = s"coalesce(${part.show(leaf)}, $value)"
}
