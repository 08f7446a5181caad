// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.SparkSession

import io.sparksieve.bulkfilter.source.{DataFiles, FilePlace, KeyPlace, KeySource, ReadSettings}

/** Determines the files that the values of leaves are read from, as the files are now. */
private[bulkfilter] object PinKeyFiles {

  /** The cache entries of sources for the current state of their files. Lists each place once. */
  def entries(
      session: SparkSession,
      sources: Seq[KeySource],
      caps: Caps): Map[KeySource, CachedValues] = {
    lazy val settings = ReadSettings(session)
    sources.distinct
      .groupBy(_.place)
      .flatMap { case (place, ofPlace) =>
        val read = PinKeyFiles.read(session, place, settings)
        val entries = ofPlace.map { source =>
          read.fold(CachedValues(source, None))(KeySetCache(session).entry(source, _))
        }
        entries.foreach(_.forgetSmallerCap(caps))
        readTogether(session, entries.filter(_.known.isEmpty), caps)
        ofPlace.zip(entries)
      }
  }

  /** Groups entries to read their files once: as many as certainly fit into memory together. */
  private def readTogether(session: SparkSession, entries: Seq[CachedValues], caps: Caps): Unit =
    if (entries.size > 1) {
      val bounded = entries.flatMap(e => e.bound(session).map(e -> _)).sortBy(_._2)
      val sums = bounded.scanLeft(0L)(_ + _._2).tail
      val fitting = bounded.zip(sums).collect { case ((e, _), sum) if sum <= caps.leafBytes => e }
      if (fitting.size > 1) {
        val together = new ReadGroup(fitting)
        fitting.foreach(_.join(together))
      }
    }

  /** The files and settings that a source's values are read from now; None if not known. */
  def now(session: SparkSession, source: KeySource): Option[ReadFiles] =
    read(session, source.place, ReadSettings(session))

  private def read(session: SparkSession, place: KeyPlace, settings: => String): Option[ReadFiles] =
    place match {
      case files: FilePlace if Plain(files.format) =>
        Some(ReadFiles(DataFiles.all(session, files.path, files.options), settings))
      case other =>
        ReadFiles
          .of(session, ReadKeys.open(session, other).queryExecution.analyzed)
          .map(found => found.copy(how = found.how + settings))
    }

  // Formats that read all files of a folder. Other formats may have a log that lists their files.
  private val Plain = Set("parquet", "orc", "csv", "json", "text", "avro")
}
