// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.io.FileNotFoundException

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

import org.apache.spark.sql.SparkSession

/** Lists the files of a path, without the files that Spark's readers ignore. */
private[bulkfilter] object DataFiles {

  /**
   * The files of the first folder that has any. If no folder has files, the folders that the path
   * matches; empty if the path does not exist.
   */
  def first(session: SparkSession, path: String, options: Map[String, String]): Seq[FileStatus] = {
    val (fs, roots) = listed(session, path, options)
    if (roots.exists(_.isFile)) roots.filter(_.isFile)
    else roots.map(r => below(fs, r.getPath)).find(_.nonEmpty).getOrElse(roots)
  }

  private def below(fs: FileSystem, folder: Path): Seq[FileStatus] = {
    val (files, folders) = visible(fs, folder).partition(_.isFile)
    if (files.nonEmpty) files
    else folders.iterator.map(f => below(fs, f.getPath)).find(_.nonEmpty).getOrElse(Nil)
  }

  /** All files, including those in nested folders. */
  def all(session: SparkSession, path: String, options: Map[String, String]): Seq[FileStamp] = {
    val (fs, roots) = listed(session, path, options)
    def in(status: FileStatus): Seq[FileStatus] =
      if (status.isFile) Seq(status) else visible(fs, status.getPath).flatMap(in)
    roots.flatMap(in).map(FileStamp(_))
  }

  /**
   * The present state of files that were listed before; None if they are in more than 100 folders,
   * because listing these would take long.
   */
  def now(session: SparkSession, files: Seq[FileStatus]): Option[Seq[FileStamp]] = {
    val folders = files.map(_.getPath.getParent).distinct
    if (folders.size > MostFolders) None
    else {
      val conf = HadoopConfs(session, Map.empty)
      val found = folders.flatMap { folder =>
        try folder.getFileSystem(conf).listStatus(folder).toSeq
        catch { case _: FileNotFoundException => Nil }
      }
      val byPath = found.map(f => f.getPath -> f).toMap
      Some(files.map { f =>
        byPath.get(f.getPath).fold(FileStamp.missing(f.getPath.toString))(FileStamp(_))
      })
    }
  }

  private val MostFolders = 100

  private def listed(session: SparkSession, path: String, options: Map[String, String]) = {
    val root = new Path(path)
    val fs = root.getFileSystem(HadoopConfs(session, options))
    (fs, Option(fs.globStatus(fs.makeQualified(root))).toSeq.flatten)
  }

  private def visible(fs: FileSystem, folder: Path) =
    fs.listStatus(folder).toSeq.filterNot(s => isHidden(s.getPath.getName)).sortBy(_.getPath)

  private def isHidden(name: String) =
    (name.startsWith("_") && !name.contains("=")) || name.startsWith(".")
}
