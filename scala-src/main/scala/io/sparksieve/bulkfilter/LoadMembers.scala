package io.sparksieve.bulkfilter

import org.apache.spark.sql.SparkSession

/** Makes what a leaf asks from its files. */
private[bulkfilter] object LoadMembers {

  /** What there is to ask, and the sets it is made of. */
  def apply(session: SparkSession, members: Members): (Membership, Seq[LoadedKeys]) = {
    val caps = Caps(session)
    members match {
      case file: FileKeys =>
        val loaded = set(session, file, caps)
        (OneSet(loaded), Seq(loaded))
    }
  }

  private def set(session: SparkSession, file: FileKeys, caps: Caps): LoadedKeys = {
    val entry = file.entry.getOrElse(PinKeyFiles.entries(session, Seq(file.source))(file.source))
    entry.load(session, caps) match {
      case loaded: LoadedKeys => loaded
      case OverCap(cap) =>
        throw new IllegalStateException(
          s"${file.source.label} takes more than $cap bytes; it has changed since the query was " +
            "planned. Run the query again.")
    }
  }
}
