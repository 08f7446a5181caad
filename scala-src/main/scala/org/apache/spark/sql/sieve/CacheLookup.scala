// SPDX-License-Identifier: Apache-2.0
package org.apache.spark.sql.sieve

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.CacheManager
import org.apache.spark.sql.execution.columnar.InMemoryRelation

/**
 * Looks up cached plans with a method that is private to Spark's package. The public lookups
 * normalise the plan first, so that a normalisation rule that calls them would recurse forever.
 */
object CacheLookup {

  /** The cached relation that Spark would read for a query of `plan`; None if there is none. */
  def apply(cache: CacheManager, plan: LogicalPlan): Option[InMemoryRelation] =
    if (cache.isEmpty) None
    else {
      cache.useCachedData(plan) match {
        case cached: InMemoryRelation if !plan.isInstanceOf[InMemoryRelation] => Some(cached)
        case _ => None
      }
    }
}
