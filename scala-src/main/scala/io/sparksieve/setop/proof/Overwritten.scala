// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{
  HadoopFsRelation,
  InsertIntoHadoopFsRelationCommand,
  LogicalRelation
}
import org.apache.spark.sql.execution.datasources.v2.{DataSourceV2Relation, FileTable}

/**
 * Whether a command overwrites files that its own query reads. Spark refuses that for tables, but
 * not for paths. With adaptive execution the command deletes the files before the last stage runs,
 * so it succeeds if every scan is below a shuffle, which a rewrite may remove.
 */
private[proof] object Overwritten {

  def apply(operators: Seq[LogicalPlan]): Boolean = {
    val written = operators.collect {
      case c: InsertIntoHadoopFsRelationCommand if c.mode == SaveMode.Overwrite => c.outputPath
    }
    written.nonEmpty &&
    operators.flatMap(read(_)).exists(path => written.exists(overlap(_, path)))
  }

  private def read(operator: LogicalPlan): Seq[Path] = operator match {
    case r: LogicalRelation =>
      r.relation match {
        case files: HadoopFsRelation => files.location.rootPaths
        case _ => Nil
      }
    case r: DataSourceV2Relation =>
      r.table match {
        case files: FileTable => files.fileIndex.rootPaths
        case _ => Nil
      }
    case _ => Nil
  }

  /** Whether one of the paths is the other or is within it, on whatever file system. */
  private def overlap(a: Path, b: Path): Boolean = {
    def text(path: Path) = path.toUri.getPath.stripSuffix("/") + "/"
    text(a).startsWith(text(b)) || text(b).startsWith(text(a))
  }
}
