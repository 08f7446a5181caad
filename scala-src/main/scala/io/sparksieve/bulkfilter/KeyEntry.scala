package io.sparksieve.bulkfilter

import java.nio.charset.StandardCharsets
import java.util.UUID

import org.apache.commons.codec.binary.Hex
import org.apache.commons.codec.digest.DigestUtils

import org.apache.spark.sql.SparkSession

/**
 * The values of a source as its files are now.
 *
 * @param stamp
 *   names the state of the files and the settings to read them by; another one for each query where it is not known
 * @param files
 *   the files, on the driver; None where they are not known, and the entry is for one query alone
 */
final class KeyEntry private (
    val source: KeySource,
    val stamp: String,
    @transient val files: Option[Seq[FileStamp]],
    @transient private val settings: String)
    extends Serializable {

  @transient @volatile private var group: ReadGroup = _
  @transient @volatile private var outcome: LoadOutcome = _
  @transient @volatile private var atMost: Option[Option[Long]] = None

  /** What came of reading the values; None if they have not been read. */
  def known: Option[LoadOutcome] = Option(outcome)

  /** Reads the values unless they have been, with all that is read together with them. */
  def load(session: SparkSession, caps: Caps): LoadOutcome = {
    if (outcome == null) {
      val together = synchronized {
        if (group == null) group = new ReadGroup(Seq(this))
        group
      }
      together.load(session, caps)
    }
    outcome
  }

  /** Whether its files and the settings to read them by are those that it was made for. */
  private[bulkfilter] def isCurrent(session: SparkSession): Boolean =
    files.isEmpty || settings == ReadSettings(session) && files == PinKeyFiles.now(session, source)

  /** Bytes that building the set takes at most, as far as that is known without reading. */
  def bound(session: SparkSession): Option[Long] = atMost.getOrElse {
    val found = SizeBound(session, source, files)
    atMost = Some(found)
    found
  }

  private[bulkfilter] def set(found: LoadOutcome): Unit = outcome = found

  /** Forgets that the values were too large for a cap that was smaller. */
  private[bulkfilter] def forgetSmallerCap(caps: Caps): Unit = synchronized {
    outcome match {
      case OverCap(cap) if cap < caps.leafBytes =>
        outcome = null
        group = null
      case _ =>
    }
  }

  /** Has the entry read together with others of the same files, unless it has been read. */
  private[bulkfilter] def join(others: ReadGroup): Unit =
    synchronized { if (outcome == null && group == null) group = others }

  override def equals(other: Any): Boolean = other match {
    case e: KeyEntry => stamp == e.stamp && source == e.source
    case _ => false
  }

  override lazy val hashCode: Int = (source, stamp).hashCode
}

private[bulkfilter] object KeyEntry {

  def apply(source: KeySource, files: Option[Seq[FileStamp]], settings: String): KeyEntry =
    new KeyEntry(
      source,
      files.fold(UUID.randomUUID().toString)(stamp(_, settings)),
      files,
      settings)

  private def stamp(files: Seq[FileStamp], settings: String): String = {
    val digest = DigestUtils.getSha256Digest
    files.foreach { f =>
      val text = s"${f.path}\n${f.bytes}\n${f.modified}\n${f.version}\n"
      digest.update(text.getBytes(StandardCharsets.UTF_8))
    }
    digest.update(settings.getBytes(StandardCharsets.UTF_8))
    Hex.encodeHexString(digest.digest())
  }
}

/** Entries of one place whose files are read once. */
private[bulkfilter] final class ReadGroup(entries: Seq[KeyEntry]) {

  def load(session: SparkSession, caps: Caps): Unit = synchronized {
    val missing = entries.filter(_.known.isEmpty)
    if (missing.nonEmpty) {
      val bounds = missing.map(_.bound(session))
      LoadEntries.within(bounds.map(_.fold(caps.leafBytes)(math.min(_, caps.leafBytes))).sum) {
        ReadKeys(session, missing.map(_.source), bounds, caps).zip(missing).foreach {
          case (found, entry) => entry.set(found)
        }
      }
      // Values of files that were replaced before they were read are for this query alone.
      if (!missing.forall(_.isCurrent(session)))
        KeyStore(session).forget(missing)
      KeyStore(session).trim(caps)
    }
  }
}
