// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import java.util.{LinkedHashMap, Map => JavaMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

import io.sparksieve.bulkfilter.source.KeySource
import io.sparksieve.keyset.SharedKeys

/**
 * Caches the values that a session's queries have read, for later queries, as long as the files do
 * not change. Above a cap, the least recently used values are evicted, and so are those of all
 * sessions above a fraction of the heap. Spark removes their broadcasts when no plan refers to them
 * any more.
 */
private[bulkfilter] final class KeySetCache {

  // Sets read from sources, by entry, and sets combined from them; in LRU order.
  private val kept = new LinkedHashMap[AnyRef, KeySetCache.Kept](16, 0.75f, true)

  /** The entry for the current state of a source. Evicts entries for other states of the source. */
  def entry(source: KeySource, now: ReadFiles): CachedValues = synchronized {
    val fresh = CachedValues(source, Some(now))
    kept.get(fresh) match {
      case read @ KeySetCache.Read(known) =>
        read.use()
        known
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
  def made(members: CombinedSet[FileKeys]): Option[SharedKeys] = synchronized {
    Option(kept.get(members)).collect { case made @ KeySetCache.Made(set) =>
      made.use()
      set
    }
  }

  def keep(members: CombinedSet[FileKeys], set: SharedKeys, caps: Caps): Unit = {
    // The key would hold the values of the parts, evicted or not.
    val key = members.map(file => FileKeys(file.source, file.entry.map(_.identity)))
    synchronized(kept.put(key, KeySetCache.Made(set)))
    trim(caps)
  }

  /** Evicts sets until the caps are met, the least recently used first. */
  def trim(caps: Caps): Unit = {
    trimTo(caps.cacheBytes)
    KeySetCache.trimAll(caps.allCachesBytes)
  }

  private def trimTo(limit: Long): Unit = synchronized {
    var total = bytes
    val eldest = kept.entrySet.iterator
    while (total > limit && eldest.hasNext) {
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

  /** When the set that would be evicted next was used last; None if there is no set. */
  private def eldestUse: Option[Long] = synchronized {
    kept.values.asScala.find(_.bytes > 0).map(_.lastUse)
  }

  /** Bytes of the cached sets. */
  def bytes: Long = synchronized(kept.values.asScala.iterator.map(_.bytes).sum)

  def size: Int = synchronized(kept.size)

  def clear(): Unit = synchronized(kept.clear())
}

private[bulkfilter] object KeySetCache {

  private val Most = 10000

  private sealed abstract class Kept {
    def bytes: Long

    private var used = System.nanoTime()

    /** The value of the JVM's clock at the last use. */
    def lastUse: Long = used

    def use(): Unit = used = System.nanoTime()
  }

  private final case class Read(entry: CachedValues) extends Kept {
    override def bytes: Long = entry.known match {
      case Some(loaded: LoadedKeys) => loaded.shared.byteSize
      case _ => 0L
    }
  }

  private final case class Made(set: SharedKeys) extends Kept {
    override def bytes: Long = set.byteSize
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

  /** Evicts sets of all sessions until they take at most `limit` bytes, the eldest first. */
  private[bulkfilter] def trimAll(limit: Long): Unit = {
    val caches = synchronized(stores.values.asScala.toVector)
    val now = System.nanoTime()
    def ages = caches.flatMap(c => c.eldestUse.map(used => (now - used, c)))
    // Other threads may evict meanwhile.
    var left = ages
    while (left.nonEmpty && caches.map(_.bytes).sum > limit) {
      val (_, cache) = left.maxBy(_._1)
      cache.trimTo(cache.bytes - 1)
      left = ages
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
