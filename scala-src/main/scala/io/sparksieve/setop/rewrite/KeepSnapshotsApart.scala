// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.catalyst.plans.{LeftAnti, LeftSemi}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import io.sparksieve.report.core.Reason
import io.sparksieve.setop.proof.{Cache, SetOpContext}
import io.sparksieve.setop.proof.same.SameFiles

/**
 * Keeps Spark from treating two listings of one directory as the same relation. Spark compares file
 * relations by root path. If files were added to a path between two reads, Spark reuses the
 * exchange of one side for the other, and `new EXCEPT old` under the same filter returns no rows.
 * The relation of the right side gets an option that no reader knows, so Spark sees a different
 * relation. A right side with a cached part is left alone: Spark would no longer find it in the
 * cache, and would read files that may have been deleted.
 *
 * Must run after the rewrites and before [[LowerUnsafeExcept]].
 */
private[rewrite] object KeepSnapshotsApart extends SetOpRewrite {

  private val Mark = "spark.sieve.setop.listing"

  override def apply(plan: LogicalPlan, ctx: SetOpContext): LogicalPlan = plan match {
    case e: Except => apart(e, e.left, e.right, ctx)
    case i: Intersect => apart(i, i.left, i.right, ctx)
    case j: Join if j.joinType == LeftAnti || j.joinType == LeftSemi =>
      apart(j, j.left, j.right, ctx)
    case _ => plan
  }

  private def apart(
      plan: LogicalPlan,
      left: LogicalPlan,
      right: LogicalPlan,
      ctx: SetOpContext): LogicalPlan = {
    val lefts = left.collectLeaves().collect { case Files(relation) => relation }
    val marked =
      if (lefts.isEmpty || right.exists(ctx.cache(_) != Cache.Miss)) right
      else
        right.transformUp {
          case r @ Files(fs) if lefts.exists(SameFiles(_, fs).contains(Reason.DifferentSnapshot)) =>
            r.copy(relation = other(fs))
        }
    if (marked eq right) plan
    else {
      applied(plan, "the right side reads other files of the same path: no shuffle is shared")
      plan.withNewChildren(Seq(left, marked))
    }
  }

  private def other(fs: HadoopFsRelation): HadoopFsRelation = {
    val listing = fs.location.inputFiles.toSeq.sorted.hashCode
    fs.copy(options = fs.options + (Mark -> Integer.toHexString(listing)))(fs.sparkSession)
  }

  private object Files {
    def unapply(r: LogicalRelation): Option[HadoopFsRelation] = r.relation match {
      case fs: HadoopFsRelation => Some(fs)
      case _ => None
    }
  }
}
