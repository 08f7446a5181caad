package io.sparksieve.bulkfilter

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}

import org.apache.spark.sql.SparkSession

/** The files that a path stands for, without those that Spark's readers leave out. */
private[bulkfilter] object DataFiles {

  /** Those of the first folder that has some; none if the path does not exist. */
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

  /** All of them, in folders of folders too. */
  def all(session: SparkSession, path: String, options: Map[String, String]): Seq[FileStamp] = {
    val (fs, roots) = listed(session, path, options)
    def in(status: FileStatus): Seq[FileStatus] =
      if (status.isFile) Seq(status) else visible(fs, status.getPath).flatMap(in)
    roots
      .flatMap(in)
      .map(f => FileStamp(f.getPath.toString, f.getLen, f.getModificationTime))
  }

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
