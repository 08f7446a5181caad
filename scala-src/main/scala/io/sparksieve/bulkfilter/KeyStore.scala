package io.sparksieve.bulkfilter

import java.util.{LinkedHashMap, Map => JavaMap, WeakHashMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.SparkSession

/**
 * The values that a session's queries have read, kept for later ones while the files do not change:
 * the least recently used are let go beyond a cap, and Spark removes their broadcasts when no plan
 * refers to them any more.
 */
private[bulkfilter] final class KeyStore {

  // What was read, by entry, and what was made of it.
  private val kept = new LinkedHashMap[AnyRef, KeyStore.Kept](16, 0.75f, true)

  /** The entry for a source with those files; what was kept of other states of it is let go. */
  def entry(source: KeySource, files: Seq[FileStamp], settings: String): KeyEntry = synchronized {
    val fresh = KeyEntry(source, Some(files), settings)
    kept.get(fresh) match {
      case KeyStore.Read(known) => known
      case _ =>
        forget(_ == source)
        kept.put(fresh, KeyStore.Read(fresh))
        fresh
    }
  }

  /** Lets go of entries that later queries must not find. */
  def forget(entries: Seq[KeyEntry]): Unit = forget(entries.map(_.source).contains(_))

  private def forget(isOf: KeySource => Boolean): Unit = synchronized {
    kept.keySet.removeIf {
      case e: KeyEntry => isOf(e.source)
      case made: MadeMembers => made.files.exists(f => isOf(f.source))
      case _ => false
    }
    ()
  }

  /** What was made of others. */
  def made(members: MadeMembers): Option[LoadedKeys] = synchronized {
    Option(kept.get(members)).collect { case KeyStore.Made(set) => set }
  }

  def keep(members: MadeMembers, set: LoadedKeys, caps: Caps): Unit = synchronized {
    kept.put(members, KeyStore.Made(set))
    trim(caps)
  }

  /** Lets go of what is over the cap, the least recently used first. */
  def trim(caps: Caps): Unit = synchronized {
    var total = bytes
    val eldest = kept.entrySet.iterator
    while (total > caps.cacheBytes && eldest.hasNext) {
      val next: JavaMap.Entry[AnyRef, KeyStore.Kept] = eldest.next()
      if (next.getValue.bytes > 0) {
        total -= next.getValue.bytes
        eldest.remove()
      }
    }
    // What was only looked at takes little, but not nothing.
    val first = kept.keySet.iterator
    while (kept.size > KeyStore.Most && first.hasNext) {
      first.next()
      first.remove()
    }
  }

  /** Bytes of the sets that are kept. */
  def bytes: Long = synchronized(kept.values.asScala.iterator.map(_.bytes).sum)

  def size: Int = synchronized(kept.size)

  def clear(): Unit = synchronized(kept.clear())
}

private[bulkfilter] object KeyStore {

  private val Most = 10000

  private sealed abstract class Kept { def bytes: Long }

  private final case class Read(entry: KeyEntry) extends Kept {
    override def bytes: Long = entry.known match {
      case Some(loaded: LoadedKeys) => loaded.keys.byteSize
      case _ => 0L
    }
  }

  private final case class Made(set: LoadedKeys) extends Kept {
    override def bytes: Long = set.keys.byteSize
  }

  private val stores = new WeakHashMap[SparkSession, KeyStore]

  /** The store of a session; it goes with the session. */
  def apply(session: SparkSession): KeyStore = synchronized {
    Option(stores.get(session)).getOrElse {
      val made = new KeyStore
      stores.put(session, made)
      made
    }
  }
}
