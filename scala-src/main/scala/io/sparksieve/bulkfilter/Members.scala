package io.sparksieve.bulkfilter

/** The values that a leaf holds: those of a file, or what is made of several. */
sealed abstract class Members extends Product with Serializable {

  /** The files that must be read. */
  def files: Seq[FileKeys]

  /** For a reader. @param show a file's name */
  def show(show: FileKeys => String): String

  /** As SQL that a reader understands. @param key the key's SQL */
  def sql(key: String): String
}

/**
 * @param entry
 *   what is known of the files as they are now; None until the query is optimized
 */
final case class FileKeys(source: KeySource, entry: Option[KeyEntry]) extends Members {
  override def files: Seq[FileKeys] = Seq(this)

  override def show(show: FileKeys => String): String = show(this)

  override def sql(key: String): String =
    s"${source.function}($key, '${source.place.name}' [${source.columns.map(_.name).mkString(", ")}])"
}

/** What is made of other values; equal whatever the order in which they came. */
sealed abstract class MadeMembers(parts: Seq[Members]) extends Members {
  override lazy val files: Seq[FileKeys] = parts.flatMap(_.files).distinct
  override lazy val hashCode: Int = (productPrefix, parts).hashCode

  override def sql(key: String): String = s"in_files($key, ${show(_.source.label)})"
}

/** Values that are in all parts. */
final case class AllOf private (parts: Seq[Members]) extends MadeMembers(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " ∩ ", ")")
}

/** Values that are in some part. */
final case class AnyOf private (parts: Seq[Members]) extends MadeMembers(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " ∪ ", ")")
}

/** Values of one that are not in the other. */
final case class Without(from: Members, without: Members) extends MadeMembers(Seq(from, without)) {
  override def show(name: FileKeys => String): String =
    s"(${from.show(name)} − ${without.show(name)})"
}

/** Values of several files that stay apart, of which each is asked for by itself. */
final case class SideBySide(parts: Seq[FileKeys]) extends MadeMembers(parts) {
  override def show(name: FileKeys => String): String =
    parts.map(_.show(name)).mkString("(", " | ", ")")
}

private[bulkfilter] object Members {

  def all(parts: Seq[Members]): Members = {
    val flat = parts.flatMap { case AllOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AllOf(flat)
  }

  def any(parts: Seq[Members]): Members = {
    val flat = parts.flatMap { case AnyOf(inner) => inner; case other => Seq(other) }.distinct
    if (flat.size == 1) flat.head else AnyOf(flat)
  }

  /** None if nothing can be left, whatever the values. */
  def without(from: Members, less: Members): Option[Members] =
    if (isWithin(from, less)) None else Some(Without(from, less))

  /** Whether every value of `a` is one of `b` by how they are made. */
  private def isWithin(a: Members, b: Members): Boolean = a == b || ((a, b) match {
    case (AnyOf(parts), _) => parts.forall(isWithin(_, b))
    case (_, AllOf(parts)) => parts.forall(isWithin(a, _))
    case (AllOf(parts), _) if parts.exists(isWithin(_, b)) => true
    case (_, AnyOf(parts)) => parts.exists(isWithin(a, _))
    case (Without(from, _), _) => isWithin(from, b)
    case _ => false
  })
}
