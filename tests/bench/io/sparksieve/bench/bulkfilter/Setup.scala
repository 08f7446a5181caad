// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.bulkfilter

import io.sparksieve.bench.{QueryCase, Variant}
import io.sparksieve.bulkfilter.api.BulkFilter
import io.sparksieve.bulkfilter.optimize.ArrangeBulkFilters

/** Definitions that several groups of cases share. */
private[bulkfilter] object Setup {

  /** Spark's best plan for these queries: no side is shuffled. */
  val Broadcast: Map[String, String] = Map("spark.sql.autoBroadcastJoinThreshold" -> "1g")

  /** Caches no set, so that each run reads the files again. */
  val Cold: Map[String, String] = Map("spark.sieve.bulkFilter.maxCacheBytes" -> "0")

  /**
   * A filter in the requested variants. Off is existence joins or, unless `exists`, the formula.
   */
  def filter(
      name: String,
      about: String,
      data: Data,
      tree: BulkFilter,
      conf: Map[String, String],
      target: Option[Double] = None,
      exists: Boolean = true,
      document: Boolean = true,
      documentTarget: Option[Double] = None,
      byHand: Seq[Int] = Nil,
      counted: Boolean = false): QueryCase = {
    val text = new Rendering(data, tree, counted)
    val others = Seq(
      document -> Variant.off(text.document, "document", target = documentTarget),
      byHand.nonEmpty -> Variant
        .off(text.byHand, "by hand")
        .copy(prepare = HandSets.register(data, byHand, anew = conf == Cold))
    )
    QueryCase(
      name,
      if (exists) about else s"$about; off is the formula that the files were made by",
      data.tables,
      text.sieve,
      Rule,
      Broadcast ++ conf,
      others.collect { case (true, variant) => variant },
      target,
      physical = true,
      alone = Some(if (exists) text.exists else text.formula)
    )
  }

  private val Rule = ArrangeBulkFilters.Name
}
