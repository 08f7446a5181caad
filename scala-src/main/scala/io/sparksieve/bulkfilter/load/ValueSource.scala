package io.sparksieve.bulkfilter.load

import io.sparksieve.bulkfilter.source.KeySource

/** The values that a leaf looks keys up in: those of one file, or a combination of several. */
private[bulkfilter] sealed abstract class ValueSource extends Product with Serializable {

  /** The files that must be read. */
  def files: Seq[FileKeys]

  /** The combination as text, for reports. @param show the name of a file */
  def show(show: FileKeys => String): String

  /** The lookup in SQL-like text, for reports. @param key the SQL of the key */
  def sql(key: String): String
}

/**
 * @param entry
 *   the cache entry for the current state of the files; None until the query is optimized
 */
private[bulkfilter] final case class FileKeys(source: KeySource, entry: Option[CachedValues])
    extends ValueSource {
  override def files: Seq[FileKeys] = Seq(this)

  override def show(show: FileKeys => String): String = show(this)

  override def sql(key: String): String =
    s"${source.function}($key, '${source.place.name}' [${source.columns.map(_.name).mkString(", ")}])"
}

/** A combination of other values. Equality depends on the order of the parts. */
private[load] sealed abstract class CombinedSource(parts: Seq[ValueSource]) extends ValueSource {
  override lazy val files: Seq[FileKeys] = parts.flatMap(_.files).distinct
  override lazy val hashCode: Int = (productPrefix, parts).hashCode

  override def sql(key: String): String = s"in_files($key, ${show(_.source.label)})"
}

/** The values that are in all parts. */
private[sparksieve] final case class AllOf private (parts: Seq[ValueSource])
    extends CombinedSource(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " ∩ ", ")")
}

/** The values that are in at least one part. */
private[sparksieve] final case class AnyOf private (parts: Seq[ValueSource])
    extends CombinedSource(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " ∪ ", ")")
}

/** The values of `from` that are not in `without`. */
private[sparksieve] final case class Without(from: ValueSource, without: ValueSource)
    extends CombinedSource(Seq(from, without)) {
  override def show(name: FileKeys => String): String =
    s"(${from.show(name)} − ${without.show(name)})"
}

/** The values of several files that are not combined: a lookup gives one answer for each file. */
private[bulkfilter] final case class SideBySide(parts: Seq[FileKeys])
    extends CombinedSource(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " | ", ")")
}

private[bulkfilter] object ValueSource {

  def all(parts: Seq[ValueSource]): ValueSource = {
    val flat = parts.flatMap { case AllOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AllOf(flat)
  }

  def any(parts: Seq[ValueSource]): ValueSource = {
    val flat = parts.flatMap { case AnyOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AnyOf(flat)
  }

  /** None if the result is empty for any values. */
  def without(from: ValueSource, less: ValueSource): Option[ValueSource] =
    if (isWithin(from, less)) None else Some(Without(from, less))

  /** Whether the structure of `a` and `b` proves that every value of `a` is in `b`. */
  private def isWithin(a: ValueSource, b: ValueSource): Boolean = a == b || ((a, b) match {
    case (AnyOf(parts), _) => parts.forall(isWithin(_, b))
    case (_, AllOf(parts)) => parts.forall(isWithin(a, _))
    case (AllOf(parts), _) if parts.exists(isWithin(_, b)) => true
    case (_, AnyOf(parts)) => parts.exists(isWithin(a, _))
    case (Without(from, _), _) => isWithin(from, b)
    case _ => false
  })
}
