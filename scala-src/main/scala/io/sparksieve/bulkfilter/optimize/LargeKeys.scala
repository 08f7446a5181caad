// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.SparkSession

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{
  CachedValues,
  Caps,
  FileKeys,
  LoadEntries,
  LoadedKeys,
  OverCap,
  ProjectedKeySets
}

/**
 * Finds the values that a query cannot hold in memory. If file sizes do not prove that values fit,
 * the values are read here, up to the cap. Values that fit are kept and used when the query runs.
 */
private[bulkfilter] object LargeKeys {

  def apply(session: SparkSession, leaves: Seq[InFile], caps: Caps): Seq[FileKeys] = {
    val wanted = leaves.flatMap(leaf => leaf.members.leaves.map(_ -> leaf.keys.map(_.nullable)))
    // Leaves whose keys are nullable in the same columns probe the same sets.
    val sets = wanted.distinct.groupBy(_._1).map { case (file, nullable) =>
      file -> (1L + nullable.map { case (_, columns) => ProjectedKeySets.sets(columns) }.sum)
    }
    val entries = wanted.map(_._1).distinct.flatMap(f => f.entry.map(f -> _))
    val unsure = entries.map(_._2).filter { e =>
      e.known.isEmpty && e.bound(session).forall(_ > caps.leafBytes)
    }
    LoadEntries(session, unsure, caps)
    def bytes(entry: CachedValues): Option[Long] = entry.known match {
      case Some(loaded: LoadedKeys) => Some(loaded.shared.byteSize).filter(_ <= caps.leafBytes)
      case Some(_: OverCap) => None
      case None => entry.bound(session)
    }
    def inAll(file: FileKeys, entry: CachedValues) = bytes(entry).map(_ * sets(file))
    val fitting = entries.filter { case (_, e) => bytes(e).nonEmpty }
    // Bounds are far above the actual sizes of sets. So if their sum exceeds the cap, all values
    // are read and their actual sizes decide.
    if (fitting.flatMap { case (f, e) => inAll(f, e) }.sum > caps.queryBytes)
      LoadEntries(session, fitting.map(_._2), caps)
    val ascending = fitting.flatMap { case (f, e) => inAll(f, e).map(f -> _) }.sortBy(_._2)
    val sums = ascending.scanLeft(0L)(_ + _._2).tail
    val over = ascending.zip(sums).collect { case ((f, _), sum) if sum > caps.queryBytes => f }
    entries.map(_._1).filter(f => f.entry.exists(e => bytes(e).isEmpty) || over.contains(f))
  }
}
