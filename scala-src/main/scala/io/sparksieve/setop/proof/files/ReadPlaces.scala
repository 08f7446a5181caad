// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import java.nio.file.{FileVisitOption, Files, Paths}

import scala.jdk.CollectionConverters._
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
 * The files and directories that a source reads, without schemes and links, so that two names of one
 * place are the same.
 */
private[files] final class ReadPlaces(session: SparkSession) {

  private lazy val hadoopConf = session.sessionState.newHadoopConf()

  /**
   * The places that `leaf` reads. None if they are not known: an RDD, or a source that is not
   * Spark's, may read any file.
   */
  def apply(leaf: LogicalPlan): Option[Seq[Path]] = leaf match {
    case FileLeaf(files) => indexed(files.fold(_.location, _.fileIndex))
    case r: LogicalRelation if Translation.jdbc(r.relation).nonEmpty => Some(Nil)
    case r: DataSourceV2Relation => ofTable(r)
    case h: HiveTableRelation => Some(of(h.tableMeta).flatMap(within))
    case _: LocalRelation | _: Range | _: OneRowRelation | _: CTERelationRef => Some(Nil)
    case _ => None
  }

  /** The places that a command overwrites, of which a new table or directory has none. */
  def existing(command: InsertIntoHadoopFsRelationCommand): Seq[Path] =
    (command.outputPath +: command.catalogTable.toSeq.flatMap(of)).filter(exists).map(place)

  private def indexed(index: FileIndex): Option[Seq[Path]] = index match {
    case listed: PartitioningAwareFileIndex => Some(listed.rootPaths.flatMap(within))
    case catalog: CatalogFileIndex =>
      Some((catalog.rootPaths ++ of(catalog.table)).flatMap(within))
    case delta if delta.getClass.getName.startsWith("org.apache.spark.sql.delta.") =>
      Some(delta.rootPaths.map(place))
    case _ => None
  }

  private def of(table: CatalogTable): Seq[Path] = {
    // A partition may lie elsewhere.
    val partitions =
      if (table.partitionColumnNames.isEmpty) Nil
      else session.sessionState.catalog.listPartitions(table.identifier)
    (table.storage.locationUri ++ partitions.flatMap(_.storage.locationUri)).map(new Path(_)).toSeq
  }

  private def ofTable(relation: DataSourceV2Relation): Option[Seq[Path]] = relation.table match {
    case _: UnchangingTable => Some(Nil)
    case t if t.getClass.getName.startsWith("org.apache.iceberg.spark.") =>
      Option(t.properties.get("location")).map(location => Seq(place(new Path(location))))
    case _ => None
  }

  /** `path`, and where the links lead that are in it. */
  private def within(path: Path): Seq[Path] =
    (path +: (if (isLocal(path)) links(path) else Nil)).map(place)

  // Also through links to directories. If they lead in a circle, they may lead anywhere.
  private def links(directory: Path): Seq[Path] = {
    val local = Paths.get(directory.toUri.getPath)
    def found = {
      val all = Files.walk(local, FileVisitOption.FOLLOW_LINKS)
      try
        all.iterator.asScala.filter(Files.isSymbolicLink(_)).map(p => new Path(p.toString)).toVector
      finally all.close()
    }
    if (Files.exists(local)) Try(found).getOrElse(Seq(new Path(Path.SEPARATOR))) else Nil
  }

  private def place(path: Path): Path = {
    val resolved = Try {
      if (isLocal(path)) Paths.get(path.toUri.getPath).toRealPath().toString
      else fileSystem(path).resolvePath(path).toUri.getPath
    }
    // What is not there cannot be another name of a place.
    new Path(resolved.getOrElse(path.toUri.getPath))
  }

  private def exists(path: Path) = Try(fileSystem(path).exists(path)).getOrElse(true)

  private def fileSystem(path: Path) = path.getFileSystem(hadoopConf)

  private def isLocal(path: Path) = {
    val scheme = path.toUri.getScheme
    scheme == "file" || scheme == null
  }
}
