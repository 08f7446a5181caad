// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.same

import org.apache.hadoop.fs.FileStatus

import org.apache.spark.sql.execution.datasources._

import io.sparksieve.report.core.{Reason, Refusal}

/** Whether two file relations read the same files in the same way. */
private[setop] object SameFiles {

  /** None when they do. */
  def apply(left: HadoopFsRelation, right: HadoopFsRelation): Option[Refusal] =
    if (left eq right) None
    // Compare the location first: in a union with hundreds of sides, most pairs differ in it.
    else if (left.location == right.location && !sameReader(left, right)) {
      Some(Reason.DifferentSource)
    } else location(left.location, right.location)

  /** None when both list the same files. */
  def location(left: FileIndex, right: FileIndex): Option[Refusal] =
    if (left == right) sameLocation(left, right) else Some(otherLocation(left, right))

  private def sameReader(left: HadoopFsRelation, right: HadoopFsRelation) =
    // A reader takes the session's time zone, calendar and the like from the relation's session.
    (left.sparkSession eq right.sparkSession) &&
      left.dataSchema == right.dataSchema &&
      left.partitionSchema == right.partitionSchema &&
      left.bucketSpec == right.bucketSpec &&
      left.options == right.options &&
      sameFormat(left.fileFormat, right.fileFormat)

  // In Spark 3.5 and 4.0 CSV and JSON formats define no equality, although they are stateless.
  private def sameFormat(left: FileFormat, right: FileFormat) =
    left == right ||
      (left.getClass == right.getClass &&
        left.getClass.getName.startsWith("org.apache.spark.sql.execution.datasources."))

  private def otherLocation(left: FileIndex, right: FileIndex): Reason =
    if (isDelta(left) && isDelta(right) && left.rootPaths == right.rootPaths) {
      Reason.DifferentSnapshot
    } else Reason.DifferentSource

  /** None when two locations that Spark considers equal list the same files. */
  private def sameLocation(left: FileIndex, right: FileIndex): Option[Refusal] =
    (left, right) match {
      case _ if left eq right => None
      // Equality compares root paths only, so compare the listed files too, and the partition
      // values, which may have been parsed from directory names under another time zone.
      case (l: InMemoryFileIndex, r: InMemoryFileIndex) =>
        if (listing(l) == listing(r) && l.partitionSpec() == r.partitionSpec()) None
        else Some(Reason.DifferentSnapshot)
      // Each index has its own listing, which may be older than the other's.
      case (_: CatalogFileIndex, _: CatalogFileIndex) => Some(Reason.DifferentSnapshot)
      // Equal means the same log and, for time travel, the same version; without time travel
      // Delta pins one snapshot of the log for all scans of a query.
      case _ if isDelta(left) && isDelta(right) => None
      case _ => Some(Reason.UnsupportedSource)
    }

  private def listing(index: InMemoryFileIndex) =
    index.allFiles().map { f: FileStatus => (f.getPath, f.getLen, f.getModificationTime) }.toSet

  private def isDelta(index: FileIndex) =
    index.getClass.getName == "org.apache.spark.sql.delta.files.TahoeLogFileIndex"
}
