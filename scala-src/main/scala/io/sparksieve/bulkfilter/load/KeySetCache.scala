// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.{LinkedHashMap, Map => JavaMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

import io.sparksieve.bulkfilter.source.KeySource

/**
 * Caches the values that a session's queries have read, for later queries, as long as the files do
 * not change. Above a cap, the least recently used values are evicted. Spark removes their
 * broadcasts when no plan refers to them any more.
 */
private[bulkfilter] final class KeySetCache {

  // Sets read from sources, by entry, and sets combined from them; in LRU order.
  private val kept = new LinkedHashMap[AnyRef, KeySetCache.Kept](16, 0.75f, true)

  /** The entry for the current state of a source. Evicts entries for other states of the source. */
  def entry(source: KeySource, now: ReadFiles): CachedValues = synchronized {
    val fresh = CachedValues(source, Some(now))
    kept.get(fresh) match {
      case KeySetCache.Read(known) => known
      case _ =>
        forget(_ == source)
        kept.put(fresh, KeySetCache.Read(fresh))
        fresh
    }
  }

  /** Removes entries that later queries must not find, and the sets combined from them. */
  def forget(entries: Seq[CachedValues]): Unit = forget(entries.map(_.source).contains(_))

  private def forget(isOf: KeySource => Boolean): Unit = synchronized {
    kept.keySet.removeIf {
      case e: CachedValues => isOf(e.source)
      case made: CombinedSet[_] =>
        made.leaves.exists { case f: FileKeys => isOf(f.source); case _ => false }
      case _ => false
    }
    ()
  }

  /** The cached set that was combined from `members`. */
  def made(members: CombinedSet[FileKeys]): Option[LoadedKeys] = synchronized {
    Option(kept.get(members)).collect { case KeySetCache.Made(set) => set }
  }

  def keep(members: CombinedSet[FileKeys], set: LoadedKeys, caps: Caps): Unit = synchronized {
    kept.put(members, KeySetCache.Made(set))
    trim(caps)
  }

  /** Evicts sets until the cap is met, the least recently used first. */
  def trim(caps: Caps): Unit = synchronized {
    var total = bytes
    val eldest = kept.entrySet.iterator
    while (total > caps.cacheBytes && eldest.hasNext) {
      val next: JavaMap.Entry[AnyRef, KeySetCache.Kept] = eldest.next()
      if (next.getValue.bytes > 0) {
        total -= next.getValue.bytes
        eldest.remove()
      }
    }
    // Entries without a set take little memory, but not none, so their number is limited too.
    val first = kept.keySet.iterator
    while (kept.size > KeySetCache.Most && first.hasNext) {
      first.next()
      first.remove()
    }
  }

  /** Bytes of the cached sets. */
  def bytes: Long = synchronized(kept.values.asScala.iterator.map(_.bytes).sum)

  def size: Int = synchronized(kept.size)

  def clear(): Unit = synchronized(kept.clear())
}

private[bulkfilter] object KeySetCache {

  private val Most = 10000

  private sealed abstract class Kept { def bytes: Long }

  private final case class Read(entry: CachedValues) extends Kept {
    override def bytes: Long = entry.known match {
      case Some(loaded: LoadedKeys) => loaded.keys.byteSize
      case _ => 0L
    }
  }

  private final case class Made(set: LoadedKeys) extends Kept {
    override def bytes: Long = set.keys.byteSize
  }

  private val stores = new WeakHashMap[SparkSession, KeySetCache]

  /** The cache of a session; it is released by [[forgetEnded]] after the session. */
  def apply(session: SparkSession): KeySetCache = synchronized {
    Option(stores.get(session)).getOrElse {
      val made = new KeySetCache
      stores.put(session, made)
      made
    }
  }

  /**
   * Releases the caches of sessions that the garbage collector has freed: the map notices that only
   * when it is used. Called for each query, of whatever session.
   */
  def forgetEnded(): Unit = synchronized {
    stores.size
    ()
  }
}
