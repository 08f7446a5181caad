package org.apache.spark.sql.sieve

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.CacheManager
import org.apache.spark.sql.execution.columnar.InMemoryRelation

/**
 * The one thing of Spark that Sieve needs and that is private to Spark's package. The public
 * lookups normalise the plan first, which from inside a normalisation rule would never end.
 */
object CacheLookup {

  /** The cached relation that a query for `plan` would be answered from. */
  def apply(cache: CacheManager, plan: LogicalPlan): Option[InMemoryRelation] =
    if (cache.isEmpty) None
    else {
      cache.useCachedData(plan) match {
        case cached: InMemoryRelation if !plan.isInstanceOf[InMemoryRelation] => Some(cached)
        case _ => None
      }
    }
}
