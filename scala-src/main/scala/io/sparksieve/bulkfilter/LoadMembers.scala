package io.sparksieve.bulkfilter

import java.util.concurrent.TimeUnit

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.sieve.Sizes
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.{KeyMasks, KeySet, KeySetAlgebra}

/** Makes what a leaf asks from its files. */
private[bulkfilter] object LoadMembers {

  /** What there is to ask, and the sets it is made of. */
  def apply(session: SparkSession, members: Members): (Membership, Seq[LoadedKeys]) = {
    val caps = Caps(session)
    val store = KeyStore(session)
    LoadEntries(session, members.files.flatMap(_.entry), caps)
    def made(members: Members): Membership = members match {
      case file: FileKeys => OneSet(loaded(session, file, caps))
      case SideBySide(Seq(one)) => made(one)
      case derived: MadeMembers =>
        store.made(derived) match {
          case Some(known) => OneSet(known)
          case None =>
            val types = derived.files.head.source.keyTypes
            merged(session, derived, made, types, caps) match {
              case Left(several) => several
              case Right(set) =>
                // What is known for one query alone is never asked for again.
                if (derived.files.flatMap(_.entry).forall(_.files.nonEmpty))
                  store.keep(derived, set, caps)
                OneSet(set)
            }
        }
    }
    val asked = made(members)
    (asked, sets(asked))
  }

  private def sets(asked: Membership): Seq[LoadedKeys] = asked match {
    case OneSet(shared, _) => Seq(new LoadedKeys(shared.value, shared, LoadStats(0, 0, 0, 0)))
    case InAll(parts) => parts.flatMap(sets)
    case InAny(parts) => parts.flatMap(sets)
    case InOnly(from, without) => sets(from) ++ sets(without)
    case InEach(parts) => parts.flatMap(sets)
  }

  /** One set of several; or, where that would take too much, how they are asked. */
  private def merged(
      session: SparkSession,
      derived: MadeMembers,
      made: Members => Membership,
      types: Seq[DataType],
      caps: Caps): Either[Membership, LoadedKeys] = {
    val start = System.nanoTime()
    def together(asked: Membership, parts: Seq[Membership])(make: Seq[KeySet] => Option[KeySet]) = {
      val held = parts.collect { case OneSet(shared, _) => shared.value }
      val set = if (held.size == parts.size) make(held) else None
      set.fold[Either[Membership, LoadedKeys]](Left(asked)) { keys =>
        val millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
        Right(
          new LoadedKeys(
            keys,
            session.sparkContext.broadcast(keys),
            LoadStats(held.map(_.size).sum, 0, 0, millis)))
      }
    }
    derived match {
      case AllOf(members) =>
        val parts = members.map(made)
        together(InAll(parts), parts)(KeySetAlgebra.intersection(_, types, caps.leafBytes))
      case AnyOf(members) =>
        val parts = members.map(made)
        together(InAny(parts), parts) { held =>
          // Beyond that the rows would have to be many to make up for it.
          if (held.map(_.size).sum > MostUnited) None
          else KeySetAlgebra.union(held, types, caps.leafBytes)
        }
      case SideBySide(files) =>
        val parts = files.map(made)
        together(InEach(parts), parts)(held => KeyMasks.of(held, masksBytes(held, caps)))
      case Without(from, AnyOf(less)) =>
        val parts = (from +: less).map(made)
        together(InOnly(parts.head, InAny(parts.tail)), parts) { held =>
          KeySetAlgebra.difference(held.head, held.tail, types, caps.leafBytes)
        }
      case Without(from, less) =>
        val parts = Seq(from, less).map(made)
        together(InOnly(parts.head, parts(1)), parts) { held =>
          KeySetAlgebra.difference(held.head, held.tail, types, caps.leafBytes)
        }
    }
  }

  /**
   * What masks of sets may take. The sets are held as well; and where they are ranges, which take
   * next to nothing, they are asked sooner than masks of a hundred million longs are made.
   */
  private def masksBytes(held: Seq[KeySet], caps: Caps): Long =
    Seq(caps.leafBytes, caps.queryBytes / 8, 6 * held.map(_.byteSize).sum + SmallMasks).min

  private def loaded(session: SparkSession, file: FileKeys, caps: Caps): LoadedKeys = {
    val entry =
      file.entry.getOrElse(PinKeyFiles.entries(session, Seq(file.source), caps)(file.source))
    entry.load(session, caps) match {
      case loaded: LoadedKeys => loaded
      case OverCap(cap) =>
        KeysTooLargeException.refuse(
          session,
          Seq(file),
          s"it was planned as one that takes at most ${Sizes.show(cap)}, and its file has changed since, " +
            "or Spark evaluates it before the query is optimized"
        )
    }
  }

  private val MostUnited = 20000000L
  private val SmallMasks = 64L << 10
}
