// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import java.nio.file.Paths

import scala.util.Try

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.{CatalogTable, HiveTableRelation}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources._
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.sieve.Translation

import io.sparksieve.common.UnchangingTable

/**
 * The files and directories that a source reads, without schemes, and the links that lead to them. Two
 * names of one place are the same.
 */
private[files] final class ReadPlaces(session: SparkSession) {

  private lazy val hadoopConf = session.sessionState.newHadoopConf()

  /**
   * The places that `leaf` reads. None if they are not known: an RDD, or a source that is not
   * Spark's, may read any file. So may a table of Delta or Iceberg, by a clone or by files that were
   * added where they lay.
   */
  def apply(leaf: LogicalPlan): Option[Seq[Path]] = leaf match {
    case FileLeaf(files) => indexed(files.fold(_.location, _.fileIndex))
    case r: LogicalRelation if Translation.jdbc(r.relation).nonEmpty => Some(Nil)
    case r: DataSourceV2Relation if r.table.isInstanceOf[UnchangingTable] => Some(Nil)
    case h: HiveTableRelation => Some(of(h.tableMeta).flatMap(within))
    case _: LocalRelation | _: Range | _: OneRowRelation | _: CTERelationRef => Some(Nil)
    case _ => None
  }

  /** The places that a command overwrites, of which a new table or directory has none. */
  def existing(command: InsertIntoHadoopFsRelationCommand): Seq[Path] =
    (command.outputPath +: command.catalogTable.toSeq.flatMap(of)).filter(exists).map(place)

  private def indexed(index: FileIndex): Option[Seq[Path]] = index match {
    case listed: InMemoryFileIndex => Some(listed.rootPaths.flatMap(within))
    // By the log of a streaming sink, which names files of any directory.
    case logged: PartitioningAwareFileIndex =>
      Some(logged.allFiles().flatMap(f => within(f.getPath)))
    case catalog: CatalogFileIndex =>
      Some((catalog.rootPaths ++ of(catalog.table)).flatMap(within))
    case _ => None
  }

  private def of(table: CatalogTable): Seq[Path] = {
    // A partition may lie elsewhere.
    val partitions =
      if (table.partitionColumnNames.isEmpty) Nil
      else session.sessionState.catalog.listPartitions(table.identifier)
    (table.storage.locationUri ++ partitions.flatMap(_.storage.locationUri)).map(new Path(_)).toSeq
  }

  /** The names that are needed to read all of `path`. */
  private def within(path: Path): Seq[Path] =
    if (isLocal(path)) LocalNames.within(local(path)).map(hadoop) else Seq(place(path))

  private def place(path: Path): Path =
    if (isLocal(path)) hadoop(LocalNames(local(path)).last)
    // What is not there cannot be another name of a place.
    else new Path(Try(fileSystem(path).resolvePath(path)).getOrElse(path).toUri.getPath)

  private def local(path: Path) = Paths.get(path.toUri.getPath)

  private def hadoop(path: java.nio.file.Path) = new Path(path.toString)

  private def exists(path: Path) = Try(fileSystem(path).exists(path)).getOrElse(true)

  private def fileSystem(path: Path) = path.getFileSystem(hadoopConf)

  private def isLocal(path: Path) = {
    val scheme = path.toUri.getScheme
    scheme == "file" || scheme == null
  }
}
