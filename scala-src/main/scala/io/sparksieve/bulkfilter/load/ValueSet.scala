// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import io.sparksieve.bulkfilter.source.KeySource
import io.sparksieve.keyset.SharedKeys

/**
 * The values that a leaf of a filter looks keys up in: those of one file, or a combination of
 * several.
 *
 * @tparam L
 *   what has the values: [[FileKeys]] before they are loaded, [[OneSet]] afterwards
 */
private[bulkfilter] sealed abstract class ValueSet[L] extends Product with Serializable {

  /** What the set consists of, each once. */
  def leaves: Seq[L]

  /** Whether the set contains a key. @param test whether a leaf contains it */
  def contains(test: L => Boolean): Boolean

  /** The combination as text. @param name the text of a leaf */
  def show(name: L => String): String

  /** The same combination of other leaves. */
  def map[M](leaf: L => ValueSet[M]): ValueSet[M]
}

/**
 * The values of a file.
 *
 * @param entry
 *   the cache entry for the current state of the files; None until the query is optimized
 */
private[bulkfilter] final case class FileKeys(source: KeySource, entry: Option[CachedValues])
    extends ValueSet[FileKeys] {
  override def leaves: Seq[FileKeys] = Seq(this)
  override def contains(test: FileKeys => Boolean): Boolean = test(this)
  override def show(name: FileKeys => String): String = name(this)
  override def map[M](leaf: FileKeys => ValueSet[M]): ValueSet[M] = leaf(this)
}

/** Loaded values, in tasks. */
private[bulkfilter] final case class OneSet(shared: SharedKeys) extends ValueSet[OneSet] {
  override def leaves: Seq[OneSet] = Seq(this)
  override def contains(test: OneSet => Boolean): Boolean = test(this)
  override def show(name: OneSet => String): String = name(this)
  override def map[M](leaf: OneSet => ValueSet[M]): ValueSet[M] = leaf(this)
}

/** A combination of other sets. Equality depends on the order of the parts. */
private[load] sealed abstract class CombinedSet[L](parts: Seq[ValueSet[L]], sign: String)
    extends ValueSet[L] {
  override lazy val leaves: Seq[L] = parts.flatMap(_.leaves).distinct
  override lazy val hashCode: Int = (productPrefix, parts).hashCode

  override def show(name: L => String): String =
    parts.map(_.show(name)).mkString("(", s" $sign ", ")")
}

/** The values that are in all parts. */
private[bulkfilter] final case class AllOf[L](parts: Seq[ValueSet[L]])
    extends CombinedSet[L](parts, "∩") {
  override def contains(test: L => Boolean): Boolean = parts.forall(_.contains(test))
  override def map[M](leaf: L => ValueSet[M]): ValueSet[M] = AllOf(parts.map(_.map(leaf)))
}

/** The values that are in at least one part. */
private[bulkfilter] final case class AnyOf[L](parts: Seq[ValueSet[L]])
    extends CombinedSet[L](parts, "∪") {
  override def contains(test: L => Boolean): Boolean = parts.exists(_.contains(test))
  override def map[M](leaf: L => ValueSet[M]): ValueSet[M] = AnyOf(parts.map(_.map(leaf)))
}

/** The values of `from` that are not in `without`. */
private[bulkfilter] final case class Without[L](from: ValueSet[L], without: ValueSet[L])
    extends CombinedSet[L](Seq(from, without), "−") {
  override def contains(test: L => Boolean): Boolean =
    from.contains(test) && !without.contains(test)
  override def map[M](leaf: L => ValueSet[M]): ValueSet[M] =
    Without(from.map(leaf), without.map(leaf))
}

/** Values that are not combined: a lookup gives one answer for each part. */
private[bulkfilter] final case class SideBySide[L](parts: Seq[ValueSet[L]])
    extends CombinedSet[L](parts, "|") {
  override def contains(test: L => Boolean): Boolean = throw SideBySide.noSet
  override def map[M](leaf: L => ValueSet[M]): ValueSet[M] = SideBySide(parts.map(_.map(leaf)))
}

private[bulkfilter] object SideBySide {

  /** The error for sets side by side where one set is expected. */
  def noSet: Exception = new IllegalStateException("Sets side by side are no set.")
}

private[bulkfilter] object ValueSet {

  def all[L](parts: Seq[ValueSet[L]]): ValueSet[L] = {
    val flat = parts.flatMap { case AllOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AllOf(flat)
  }

  def any[L](parts: Seq[ValueSet[L]]): ValueSet[L] = {
    val flat = parts.flatMap { case AnyOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AnyOf(flat)
  }

  /** None if the result is empty for any values. */
  def without[L](from: ValueSet[L], less: ValueSet[L]): Option[ValueSet[L]] =
    if (isWithin(from, less)) None else Some(Without(from, less))

  /** The lookup in SQL-like text, for reports. @param key the SQL of the key */
  def sql(values: ValueSet[FileKeys], key: String): String = values match {
    case FileKeys(source, _) =>
      val columns = source.columns.map(_.name).mkString(", ")
      s"${source.function}($key, '${source.place.name}' [$columns])"
    case combined => s"in_files($key, ${combined.show(_.source.label)})"
  }

  /** Whether the structure of `a` and `b` proves that every value of `a` is in `b`. */
  private def isWithin[L](a: ValueSet[L], b: ValueSet[L]): Boolean = a == b || ((a, b) match {
    case (AnyOf(parts), _) => parts.forall(isWithin(_, b))
    case (_, AllOf(parts)) => parts.forall(isWithin(a, _))
    case (AllOf(parts), _) if parts.exists(isWithin(_, b)) => true
    case (_, AnyOf(parts)) => parts.exists(isWithin(a, _))
    case (Without(from, _), _) => isWithin(from, b)
    case _ => false
  })
}
