// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.proof.files

import scala.annotation.tailrec

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.{SaveMode, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand

/**
 * Whether a command may overwrite files that its own query reads. Spark refuses that for tables, but
 * not for paths. With adaptive execution the command deletes the files before the last stage runs,
 * so it succeeds if every scan is below a shuffle, which a rewrite may remove.
 */
private[proof] object Overwritten {

  def apply(operators: Seq[LogicalPlan]): Boolean = {
    lazy val places = new ReadPlaces(SparkSession.active)
    val written = operators.collect {
      case c: InsertIntoHadoopFsRelationCommand if c.mode == SaveMode.Overwrite =>
        places.existing(c)
    }.flatten
    written.nonEmpty && {
      val read = operators.filter(_.children.isEmpty).map(places(_))
      read.contains(None) || overlap(written, read.flatten.flatten)
    }
  }

  /** Whether one of the places is one of the others or is within it, on whatever file system. */
  private def overlap(some: Seq[Path], others: Seq[Path]): Boolean = {
    val (these, those) = (some.toSet, others.toSet)
    those.exists(isWithin(_, these)) || these.exists(isWithin(_, those))
  }

  @tailrec
  private def isWithin(path: Path, places: Set[Path]): Boolean =
    path != null && (places(path) || isWithin(path.getParent, places))
}
