// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.source

import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}
import java.util.UUID

import scala.util.Try

import org.apache.commons.codec.binary.Hex
import org.apache.commons.codec.digest.DigestUtils
import org.apache.hadoop.fs.{EtagSource, FileStatus}
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus

/**
 * The state of a file at the time of a listing.
 *
 * @param version
 *   distinguishes the file from one that replaces it with the same path, length and modification
 *   time, as far as the file system shows a difference
 */
private[bulkfilter] final case class FileStamp(
    path: String,
    bytes: Long,
    modified: Long,
    version: String)

private[bulkfilter] object FileStamp {

  def apply(status: FileStatus): FileStamp =
    FileStamp(status.getPath.toString, status.getLen, status.getModificationTime, version(status))

  /** The stamp of a file that does not exist. It is unique, so it equals no later stamp. */
  def missing(path: String): FileStamp = FileStamp(path, 0, 0, UUID.randomUUID().toString)

  /** A text that identifies the state of files, and `how` they are read. */
  def digest(files: Seq[FileStamp], how: String): String = {
    val digest = DigestUtils.getSha256Digest
    files.foreach { f =>
      val text = s"${f.path}\n${f.bytes}\n${f.modified}\n${f.version}\n"
      digest.update(text.getBytes(StandardCharsets.UTF_8))
    }
    digest.update(how.getBytes(StandardCharsets.UTF_8))
    Hex.encodeHexString(digest.digest())
  }

  private def version(status: FileStatus): String = status match {
    case tagged: EtagSource if tagged.getEtag != null => tagged.getEtag
    case hdfs: HdfsFileStatus => hdfs.getFileId.toString
    case local if local.getPath.toUri.getScheme == "file" =>
      ofLocal(local).getOrElse(ofTime(local))
    case other => ofTime(other)
  }

  /**
   * The inode and its change time. Renames, and copies that preserve the modification time, still
   * update the change time.
   */
  private def ofLocal(status: FileStatus): Option[String] = Try {
    val found = Files.readAttributes(Paths.get(status.getPath.toUri), "unix:ino,ctime")
    s"${found.get("ino")} ${found.get("ctime")}"
  }.toOption

  /**
   * A unique version for a file modified within the last 3 seconds: the file may be rewritten
   * within one clock tick, and its modification time would not show that. Empty for older files.
   */
  private def ofTime(status: FileStatus): String =
    if (System.currentTimeMillis() - status.getModificationTime < LongestTick)
      UUID.randomUUID().toString
    else ""

  private val LongestTick = 3000L
}
