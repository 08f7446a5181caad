// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.SaveMode
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand

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
    def isWritten(path: Path) = written.exists(overlap(_, path))
    // First what needs no listing of files.
    written.nonEmpty && operators.exists {
      case FileLeaf(files) => files.fold(_.location, _.fileIndex).rootPaths.exists(isWritten)
      case _ => false
    }
  }

  /** Whether one of the paths is the other or is within it, on whatever file system. */
  private def overlap(a: Path, b: Path): Boolean = {
    def text(path: Path) = path.toUri.getPath.stripSuffix("/") + "/"
    text(a).startsWith(text(b)) || text(b).startsWith(text(a))
  }
}
