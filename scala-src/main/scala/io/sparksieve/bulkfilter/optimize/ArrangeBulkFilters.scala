// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bulkfilter.optimize

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INSET

import io.sparksieve.bulkfilter.expr.InFile
import io.sparksieve.bulkfilter.load.{Caps, FileKeys, KeySetCache, PinKeyFiles}
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Features, Guarded, Reason, Report}

/**
 * Prepares the in_file and in_table predicates of a query for planning, each time that the query
 * is optimized:
 *
 *   1. determines which files the values are read from now ([[PinKeyFiles]]);
 *   1. replaces leaves whose values do not fit into memory by joins ([[JoinLargeKeys]]), even if
 *      the feature is disabled;
 *   1. merges leaves on one key ([[MergeLeaves]]) and orders the remaining leaves by their points
 *      ([[Points]]), if the feature is enabled.
 */
private[sparksieve] final class ArrangeBulkFilters(session: SparkSession)
    extends Rule[LogicalPlan] {
  import ArrangeBulkFilters._

  override def apply(plan: LogicalPlan): LogicalPlan = {
    KeySetCache.forgetEnded()
    if (plan.containsPattern(INSET)) prepared(plan) else plan
  }

  private def prepared(plan: LogicalPlan): LogicalPlan = {
    val unpinned = leaves(plan).collect { case InFile(_, FileKeys(source, None)) => source }
    if (unpinned.isEmpty) arranged(plan)
    else {
      val caps = Caps(session)
      val entries = PinKeyFiles.entries(session, unpinned, caps)
      val pinned = plan.transformAllExpressionsWithPruning(_.containsPattern(INSET)) {
        case leaf @ InFile(_, FileKeys(source, None)) =>
          leaf.copy(members = FileKeys(source, Some(entries(source))))
      }
      val large = LargeKeys(session, leaves(pinned), caps)
      report(pinned, large)
      arranged(if (large.isEmpty) pinned else new JoinLargeKeys(session, large)(pinned))
    }
  }

  private def leaves(plan: LogicalPlan): Seq[InFile] =
    plan.collect { case node => node.expressions.flatMap(InFile.in) }.flatten

  private def arranged(plan: LogicalPlan): LogicalPlan =
    if (!SieveConf.bulkFilterEnabled(SparkCompat.conf(session))) plan
    else
      Guarded(Features.BulkFilter, Name, "the query's predicates", plan) {
        plan.transformWithPruning(_.containsPattern(INSET)) { case node =>
          node.mapExpressions(e =>
            if (e.containsPattern(INSET)) ReorderMembershipPredicates(e) else e)
        }
      }

  private def report(plan: LogicalPlan, large: Seq[FileKeys]): Unit =
    plan.foreach { node =>
      val found = node.expressions.flatMap(InFile.in)
      if (found.nonEmpty) {
        def place = s"${node.nodeName} over ${node.children.map(_.nodeName).mkString(", ")}"
        node.expressions.filter(InFile.in(_).nonEmpty).foreach { e =>
          val switchedOn = SieveConf.bulkFilterEnabled(SparkCompat.conf(session))
          if (switchedOn)
            Report.applied(
              Features.BulkFilter,
              Name,
              place,
              ShowTree(e, ReorderMembershipPredicates(e)))
        }
        found.flatMap(_.members.leaves).distinct.filter(large.contains).foreach { file =>
          Report.declined(
            Features.BulkFilter,
            Name,
            Reason.OverMemoryCap,
            place,
            s"${file.source.label} is joined with the rows")
        }
      }
    }
}

private[sparksieve] object ArrangeBulkFilters {
  val Name = "ArrangeBulkFilters"
}
