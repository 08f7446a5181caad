package io.sparksieve.bulkfilter

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INSET

import io.sparksieve.{SieveConf, SparkCompat}
import io.sparksieve.report.{Guarded, Reason, Report}

/**
 * Makes a query's in_file and in_table ready to be planned, once each time that it is optimized:
 *
 *   1. looks which files their values come from now ([[PinKeyFiles]]);
 *   1. joins the rows with values that do not fit into memory ([[JoinLargeKeys]]), whatever the
 *      room's switch says;
 *   1. merges leaves on one key ([[MergeLeaves]]) and puts what is left in the order of its points
 *      ([[Points]]).
 */
final class ArrangeBulkFilters(session: SparkSession) extends Rule[LogicalPlan] {
  import ArrangeBulkFilters._

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(INSET)) plan
    else {
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
      Guarded(BulkFilters.Room, Name, "the query's predicates", plan) {
        plan.transformWithPruning(_.containsPattern(INSET)) { case node =>
          node.mapExpressions(e => if (e.containsPattern(INSET)) Arrange(e) else e)
        }
      }

  private def report(plan: LogicalPlan, large: Seq[FileKeys]): Unit =
    plan.foreach { node =>
      val found = node.expressions.flatMap(InFile.in)
      if (found.nonEmpty) {
        def place = s"${node.nodeName} over ${node.children.map(_.nodeName).mkString(", ")}"
        node.expressions.filter(InFile.in(_).nonEmpty).foreach { e =>
          val switchedOn = SieveConf.bulkFilterEnabled(SparkCompat.conf(session))
          if (switchedOn) Report.applied(BulkFilters.Room, Name, place, ShowTree(e, Arrange(e)))
        }
        found.flatMap(_.members.files).distinct.filter(large.contains).foreach { file =>
          Report.declined(
            BulkFilters.Room,
            Name,
            Reason.OverMemoryCap,
            place,
            s"${file.source.label} is joined with the rows")
        }
      }
    }
}

object ArrangeBulkFilters {
  val Name = "ArrangeBulkFilters"
}
