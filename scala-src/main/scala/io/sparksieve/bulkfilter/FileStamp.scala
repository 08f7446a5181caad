package io.sparksieve.bulkfilter

import java.nio.file.{Files, Paths}
import java.util.UUID

import scala.util.Try

import org.apache.hadoop.fs.{EtagSource, FileStatus}
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus

/**
 * A file of a listing, as it is then.
 *
 * @param version
 *   what another file at the same path with the same length and time would have otherwise
 */
final case class FileStamp(path: String, bytes: Long, modified: Long, version: String)

private[bulkfilter] object FileStamp {

  def apply(status: FileStatus): FileStamp =
    FileStamp(status.getPath.toString, status.getLen, status.getModificationTime, version(status))

  /** A file that is not there; the next listing has another. */
  def missing(path: String): FileStamp = FileStamp(path, 0, 0, UUID.randomUUID().toString)

  private def version(status: FileStatus): String = status match {
    case tagged: EtagSource if tagged.getEtag != null => tagged.getEtag
    case hdfs: HdfsFileStatus => hdfs.getFileId.toString
    case local if local.getPath.toUri.getScheme == "file" =>
      ofLocal(local).getOrElse(ofTime(local))
    case other => ofTime(other)
  }

  /** Copies that keep times, and renames, set the time of the change of an inode nonetheless. */
  private def ofLocal(status: FileStatus): Option[String] = Try {
    val found = Files.readAttributes(Paths.get(status.getPath.toUri), "unix:ino,ctime")
    s"${found.get("ino")} ${found.get("ctime")}"
  }.toOption

  /** A file may be written once more within the tick of a clock; then its time tells nothing. */
  private def ofTime(status: FileStatus): String =
    if (System.currentTimeMillis() - status.getModificationTime < LongestTick)
      UUID.randomUUID().toString
    else ""

  private val LongestTick = 3000L
}
