// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{Features, Guarded, PlanningLog}
import io.sparksieve.setop.proof.SetOpContext

/** The set-operation rewrites as a rule of one session, with that session's conf and cache. */
private[sparksieve] object SessionRewriteSetOperations {

  def apply(
      session: SparkSession,
      rewrites: Seq[SetOpRewrite] = RewriteSetOperations.Rewrites): Rule[LogicalPlan] =
    new RewriteSetOperations(
      rewrites,
      query =>
        new SetOpContext(
          SparkCompat.conf(session),
          new SessionCache(SparkCompat.cacheManager(session)),
          query)) {

      override def apply(plan: LogicalPlan): LogicalPlan =
        PlanningLog.normalizing {
          Guarded(Features.SetOp, "RewriteSetOperations", plan.nodeName, plan)(super.apply(plan))
        }
    }
}
