// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.load

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources._

import io.sparksieve.bulkfilter.source.{DataFiles, FileStamp}

/**
 * Everything that determines the rows of a source.
 *
 * @param files
 *   the files of the source as they are now
 * @param how
 *   identifies everything else: the reader's settings and, for a table or view, its definition
 */
private[bulkfilter] final case class ReadFiles(files: Seq[FileStamp], how: String)

private[bulkfilter] object ReadFiles {

  /**
   * Everything that determines the rows of a plan; None unless these are only files and a
   * definition of a supported form.
   */
  def of(session: SparkSession, plan: LogicalPlan): Option[ReadFiles] = plan match {
    case SubqueryAlias(_, child) => of(session, child)
    case view: View => of(session, view.child)
    case Project(list, child) =>
      val items = list.map(item(_, child.output))
      if (items.contains(None)) None
      else
        of(session, child).map(below => below.copy(how = s"${items.flatten}\n${below.how}"))
    case leaf: LogicalRelation =>
      leaf.relation match {
        case files: HadoopFsRelation => listed(session, files, leaf.output)
        case _ => None
      }
    case _ => None
  }

  /**
   * Describes an output column, with its alias and cast if any. The input column is given by its
   * position, because its expression ID differs each time.
   */
  private def item(e: NamedExpression, below: Seq[Attribute]): Option[String] = {
    def place(a: Attribute) = below.indexWhere(_.exprId == a.exprId)
    e match {
      case a: AttributeReference => Some(s"${a.name}: ${place(a)}")
      case Alias(a: AttributeReference, name) => Some(s"$name: ${place(a)}")
      case Alias(c @ Cast(a: AttributeReference, to, zone, mode), name) if c.resolved =>
        Some(s"$name: ${place(a)} $to $zone $mode")
      case _ => None
    }
  }

  private def listed(
      session: SparkSession,
      relation: HadoopFsRelation,
      output: Seq[Attribute]): Option[ReadFiles] = {
    val (data, partitions) = (relation.dataSchema.json, relation.partitionSchema.json)
    val reader = s"${relation.fileFormat.getClass.getName} ${relation.options.toSeq.sorted}"
    val columns = output.map(a => s"${a.name} ${a.dataType}").toString
    listed(session, relation.location).map { found =>
      val how = Seq(reader, data, partitions, columns, found.how).mkString("\n")
      found.copy(how = s"$how\n")
    }
  }

  // A table's file listing may be outdated, and files in it may have been replaced since.
  private def listed(session: SparkSession, index: FileIndex): Option[ReadFiles] =
    index match {
      case files: PartitioningAwareFileIndex =>
        val values = files
          .partitionSpec()
          .partitions
          .map(p => s"${p.path} ${p.values.toSeq(files.partitionSchema)}")
        DataFiles
          .now(session, files.allFiles().sortBy(_.getPath.toString))
          .map(ReadFiles(_, values.sorted.mkString("\n")))
      case catalog: CatalogFileIndex => listed(session, catalog.filterPartitions(Nil))
      case _ => None
    }
}
