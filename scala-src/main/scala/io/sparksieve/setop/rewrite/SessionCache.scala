// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.setop.rewrite

import java.util.IdentityHashMap

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{CacheManager, FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.v2.{BatchScanExec, FileTable}
import org.apache.spark.sql.sieve.CacheLookup

import io.sparksieve.setop.proof.{Cache, PlanCache}
import io.sparksieve.setop.proof.files.FileLeaf
import io.sparksieve.setop.proof.same.SameFiles

/**
 * Looks up a plan in Spark's cache. Spark finds a cached file relation by its root paths, so a plan
 * that has listed newer files is answered from the older data too: that is a [[Cache.Stale]] hit.
 * For one query: remembers the answers.
 */
private[rewrite] final class SessionCache(cache: CacheManager) extends PlanCache {

  override def isEmpty: Boolean = cache.isEmpty

  private val known = new IdentityHashMap[LogicalPlan, Cache]

  override def apply(plan: LogicalPlan): Cache =
    if (isEmpty) Cache.Miss
    else known.computeIfAbsent(plan, lookup(_))

  private def lookup(plan: LogicalPlan): Cache =
    CacheLookup(cache, plan) match {
      case None => Cache.Miss
      case Some(cached) =>
        val now = files(plan)
        val before = files(cached.cacheBuilder.cachedPlan)
        val fresh = now.forall(n => before.exists(same(_, n)))
        if (fresh) Cache.Hit(List(cached.cacheBuilder)) else Cache.Stale
    }

  /** How Spark reads files: as a relation, or as a table of DSv2. */
  private type Files = Either[HadoopFsRelation, FileTable]

  private def same(before: Files, now: Files): Boolean = (before, now) match {
    case (Left(b), Left(n)) => SameFiles(b, n).isEmpty
    case (Right(b), Right(n)) => b == n && SameFiles.location(b.fileIndex, n.fileIndex).isEmpty
    case _ => false
  }

  private def files(plan: LogicalPlan): Seq[Files] =
    plan.collectLeaves().collect { case FileLeaf(files) => files }

  private def files(plan: SparkPlan): Seq[Files] = plan.collectLeaves().flatMap {
    case scan: FileSourceScanExec => Seq(Left(scan.relation))
    case scan: BatchScanExec =>
      scan.table match {
        case table: FileTable => Seq(Right(table))
        case _ => Nil
      }
    case adaptive: AdaptiveSparkPlanExec => files(adaptive.inputPlan)
    case cached: InMemoryTableScanExec => files(cached.relation.cacheBuilder.cachedPlan)
    case _ => Nil
  }
}
