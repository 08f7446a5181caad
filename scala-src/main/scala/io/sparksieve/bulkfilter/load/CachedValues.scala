// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.UUID

import org.apache.spark.sql.SparkSession

import io.sparksieve.bulkfilter.source.{FileStamp, KeySource, SizeBound}

/**
 * The values of a source, read from one state of its files.
 *
 * @param stamp
 *   identifies that state; a unique value for each query if the state is unknown
 * @param read
 *   the files and settings, on the driver only; None if they are unknown, and then the entry serves
 *   one query only
 */
private[bulkfilter] final class CachedValues private (
    val source: KeySource,
    val stamp: String,
    @transient private val read: Option[ReadFiles])
    extends Serializable {

  @transient @volatile private var group: ReadGroup = _
  @transient @volatile private var outcome: LoadOutcome = _
  @transient @volatile private var atMost: Option[Option[Long]] = None

  /** The outcome of reading the values; None if they have not been read. */
  def known: Option[LoadOutcome] = Option(outcome)

  /** Reads the values unless they have been read, together with the other entries of a group. */
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

  /** The files, if they are known; on the driver only. */
  def files: Option[Seq[FileStamp]] = read.map(_.files)

  /** Whether the files still have the state that this entry is for; true if it is unknown. */
  private[bulkfilter] def isCurrent(session: SparkSession): Boolean =
    read.isEmpty || read == PinKeyFiles.now(session, source)

  /** An upper bound on the bytes for building the set, if known before reading the values. */
  def bound(session: SparkSession): Option[Long] = atMost.getOrElse {
    val found = SizeBound(session, source, files)
    atMost = Some(found)
    found
  }

  /** Sets the outcome, and leaves the group, which would keep the values of its other entries. */
  private[bulkfilter] def set(found: LoadOutcome): Unit = synchronized {
    outcome = found
    group = null
  }

  /** An entry that equals this one and has no values, for use as a key. */
  private[bulkfilter] def identity: CachedValues = new CachedValues(source, stamp, read)

  /** Resets the entry if its values exceeded a cap that was smaller than the present one. */
  private[bulkfilter] def forgetSmallerCap(caps: Caps): Unit = synchronized {
    outcome match {
      case OverCap(cap) if cap < caps.leafBytes =>
        outcome = null
      case _ =>
    }
  }

  /** Adds the entry to a group with the same files, unless it has been read or is in a group. */
  private[bulkfilter] def join(others: ReadGroup): Unit =
    synchronized { if (outcome == null && group == null) group = others }

  override def equals(other: Any): Boolean = other match {
    case e: CachedValues => stamp == e.stamp && source == e.source
    case _ => false
  }

  override lazy val hashCode: Int = (source, stamp).hashCode
}

private[bulkfilter] object CachedValues {

  def apply(source: KeySource, read: Option[ReadFiles]): CachedValues =
    new CachedValues(source, read.fold(UUID.randomUUID().toString)(stamp), read)

  private def stamp(read: ReadFiles): String = FileStamp.digest(read.files, read.how)
}

/** Entries of one place that are read together, so that the files are read only once. */
private[bulkfilter] final class ReadGroup(entries: Seq[CachedValues]) {

  def load(session: SparkSession, caps: Caps): Unit = synchronized {
    val missing = entries.filter(_.known.isEmpty)
    if (missing.nonEmpty) {
      val bounds = missing.map(_.bound(session))
      LoadEntries.within(bounds.map(_.fold(caps.leafBytes)(math.min(_, caps.leafBytes))).sum) {
        ReadKeys(session, missing.map(_.source), bounds, caps).zip(missing).foreach {
          case (found, entry) => entry.set(found)
        }
      }
      // If a file was replaced before it was read, the values serve this query only.
      if (!missing.forall(_.isCurrent(session)))
        KeySetCache(session).forget(missing)
      KeySetCache(session).trim(caps)
    }
  }
}
