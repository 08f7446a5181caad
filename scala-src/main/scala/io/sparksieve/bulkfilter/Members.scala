package io.sparksieve.bulkfilter

/** The values that a leaf holds: those of a file, or what is made of several. */
sealed abstract class Members extends Product with Serializable {

  /** The files that must be read. */
  def files: Seq[FileKeys]

  /** As SQL that a reader understands. @param key the key's SQL */
  def sql(key: String): String
}

/**
 * @param entry
 *   what is known of the files as they are now; None until the query is optimized
 */
final case class FileKeys(source: KeySource, entry: Option[KeyEntry]) extends Members {
  override def files: Seq[FileKeys] = Seq(this)

  override def sql(key: String): String = {
    val column = source.columns.map(_.name).mkString(", ")
    s"${source.function}($key, '${source.place.name}' [$column])"
  }
}
