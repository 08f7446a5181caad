// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.scan.KeyForm

import KeyTrace.Spot

/**
 * Keys that are collected while the query runs.
 *
 * @param from
 *   the join whose creation side has them, as it will be in the rewritten plan
 * @param index
 *   the position of the key among the keys of that join
 * @param below
 *   whether that join is a lower one, not the one whose side is filtered ([[LowerJoins]])
 */
private[dynamicfilter] final case class CollectedKeys(
    source: KeySource,
    from: JoinDirection,
    index: Int,
    below: Boolean) {

  def subquery(probeKey: Expression): Expression =
    source.subquery(probeKey, from.build, from.buildKeys, index)

  val provenance: FilterProvenance = {
    val key = KeyForm.stripped(from.buildKeys(index))
    FilterProvenance(key.sql, key.references.map(_.exprId).toSet, source.kind)(pinned =
      source.pinned)
  }

  /**
   * The bytes scanned before the keys are available, while the scan at `spot` could have run; 0 if
   * it has to wait for the join's broadcast anyway, because it is in the stage of the join, or if
   * the broadcast takes no stage of its own.
   */
  def waitBytes(spot: Spot): BigInt = {
    def exchanges = from.build.exists {
      case j: Join => !BroadcastJoin(j)
      case other => Exchanges(other)
    }
    def otherStage = below || spot.above.shuffles
    if (source.kind == FilterProvenance.Broadcast && !(otherStage && exchanges)) 0
    else ScanBytes(from.build)
  }
}

/** Puts filters by collected keys into a plan whose shared parts stay as they are. */
private[dynamicfilter] final class FilterByKeys(
    shared: => SharedParts,
    pruning: SparksPruning,
    rowIds: => MergeRowIds,
    conf: SQLConf) {

  /**
   * The plan `probe` with a filter by the keys, or why there is none.
   *
   * @param join
   *   the join whose side `probe` is
   * @param probeKey
   *   the join's key on that side
   */
  def apply(
      keys: CollectedKeys,
      join: Join,
      probeKey: Expression,
      probe: LogicalPlan): KeyTrace.Answer = {
    val shuffles = BroadcastJoin.side(join, conf).isEmpty
    val placement =
      new Placement(shuffles, keys.provenance, keys.waitBytes, conf)((spot, share) =>
        DynamicFilter(
          spot.key,
          keys.subquery(spot.key),
          keys.provenance.expecting(spot.leaf.stats, keys.from.build.stats, share),
          spot.chain))
    lazy val readsAgain = shared.readsAgain(join)
    def isShared(part: LogicalPlan) =
      pruning.reads(part) || readsAgain || shared.moreOften(join, part)
    new KeyTrace(placement(_), rowIds, isShared)(probe, KeyForm.stripped(probeKey))
  }
}
