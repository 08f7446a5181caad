// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.sieve.Sizes
import org.apache.spark.sql.types.DataType

import io.sparksieve.keyset.{KeySet, SharedKeys}
import io.sparksieve.keyset.build.KeySetAlgebra
import io.sparksieve.keyset.masks.KeyMasks

/** Loads the files of a leaf and builds the sets that the leaf probes. */
private[bulkfilter] object LoadValues {

  /** The values to probe, and the sets that they consist of. */
  def apply(
      session: SparkSession,
      members: ValueSet[FileKeys]): (ValueSet[OneSet], Seq[SharedKeys]) = {
    val caps = Caps(session)
    val store = KeySetCache(session)
    LoadEntries(session, members.leaves.flatMap(_.entry), caps)
    def made(members: ValueSet[FileKeys]): ValueSet[OneSet] = members match {
      case file: FileKeys => OneSet(loaded(session, file, caps).shared)
      case SideBySide(Seq(one)) => made(one)
      case derived: CombinedSet[FileKeys] =>
        store.made(derived) match {
          case Some(known) => OneSet(known)
          case None =>
            val types = derived.leaves.head.source.keyTypes
            merged(session, derived, made, types, caps) match {
              case Left(several) => several
              case Right(set) =>
                // Entries without known files serve a single query, and are never looked up again.
                if (derived.leaves.flatMap(_.entry).forall(_.files.nonEmpty))
                  store.keep(derived, set, caps)
                OneSet(set)
            }
        }
    }
    val values = made(members)
    (values, values.leaves.map(_.shared))
  }

  /** Combines sets into one; if that would take too much memory, returns how to probe each set. */
  private def merged(
      session: SparkSession,
      derived: CombinedSet[FileKeys],
      made: ValueSet[FileKeys] => ValueSet[OneSet],
      types: Seq[DataType],
      caps: Caps): Either[ValueSet[OneSet], SharedKeys] = {
    def together(values: ValueSet[OneSet], parts: Seq[ValueSet[OneSet]])(
        make: Seq[KeySet] => Option[KeySet]) = {
      val held = parts.collect { case OneSet(shared) => shared.value }
      val set = if (held.size == parts.size) make(held) else None
      set.map(SharedKeys(session.sparkContext, _)).toRight(values)
    }
    derived match {
      case AllOf(members) =>
        val parts = members.map(made)
        together(AllOf(parts), parts)(KeySetAlgebra.intersection(_, types, caps.leafBytes))
      case AnyOf(members) =>
        val parts = members.map(made)
        together(AnyOf(parts), parts) { held =>
          // A larger union pays off only if very many rows probe it.
          if (held.map(_.size).sum > MostUnited) None
          else KeySetAlgebra.union(held, types, caps.leafBytes)
        }
      case SideBySide(files) =>
        val parts = files.map(made)
        together(SideBySide(parts), parts)(held => KeyMasks.of(held, masksBytes(held, caps)))
      case Without(from, AnyOf(less)) =>
        val parts = (from +: less).map(made)
        together(Without(parts.head, AnyOf(parts.tail)), parts) { held =>
          KeySetAlgebra.difference(held.head, held.tail, types, caps.leafBytes)
        }
      case Without(from, less) =>
        val parts = Seq(from, less).map(made)
        together(Without(parts.head, parts(1)), parts) { held =>
          KeySetAlgebra.difference(held.head, held.tail, types, caps.leafBytes)
        }
    }
  }

  /**
   * The most bytes that masks of sets may take. The sets stay in memory too. Sets that are ranges
   * take next to no memory: probing them directly is faster than first building masks of a hundred
   * million longs.
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
