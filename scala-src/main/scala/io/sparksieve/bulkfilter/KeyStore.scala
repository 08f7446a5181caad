package io.sparksieve.bulkfilter

import java.util.{LinkedHashMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

/**
 * The values that a session's queries have read, kept for later ones while the files do not change:
 * the least recently used are let go beyond a cap, and Spark removes their broadcasts when no plan
 * refers to them any more.
 */
private[bulkfilter] final class KeyStore {

  private val kept = new LinkedHashMap[KeyEntry, KeyEntry](16, 0.75f, true)

  /** The entry for a source with those files; what was kept of other states of it is let go. */
  def entry(source: KeySource, files: Seq[FileStamp]): KeyEntry = synchronized {
    val fresh = KeyEntry(source, Some(files))
    Option(kept.get(fresh)).getOrElse {
      kept.keySet.removeIf(e => e.source == source)
      kept.put(fresh, fresh)
      fresh
    }
  }

  /** Lets go of what is over the cap, the least recently used first. */
  def trim(caps: Caps): Unit = synchronized {
    var bytes = kept.keySet.asScala.iterator.map(KeyStore.bytes).sum
    val eldest = kept.keySet.iterator
    while (bytes > caps.cacheBytes && eldest.hasNext) {
      val entry = eldest.next()
      val size = KeyStore.bytes(entry)
      if (size > 0) {
        bytes -= size
        eldest.remove()
      }
    }
  }

  /** Bytes of the sets that are kept. */
  def bytes: Long = synchronized(kept.keySet.asScala.iterator.map(KeyStore.bytes).sum)

  def size: Int = synchronized(kept.size)

  def clear(): Unit = synchronized(kept.clear())
}

private[bulkfilter] object KeyStore {

  private val stores = new WeakHashMap[SparkSession, KeyStore]

  /** The store of a session; it goes with the session. */
  def apply(session: SparkSession): KeyStore = synchronized {
    Option(stores.get(session)).getOrElse {
      val made = new KeyStore
      stores.put(session, made)
      made
    }
  }

  private def bytes(entry: KeyEntry) = entry.known match {
    case Some(loaded: LoadedKeys) => loaded.keys.byteSize
    case _ => 0L
  }
}
