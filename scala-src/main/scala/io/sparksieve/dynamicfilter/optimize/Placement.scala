// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Refusal}
import io.sparksieve.scan.{KeyForm, ScanColumn}

import KeyTrace.{Answer, Spot}

/**
 * Decides whether a filter pays at a spot, and puts it there.
 *
 * @param shuffles
 *   whether the join that will drop the rows exchanges them
 * @param waitBytes
 *   the bytes that are scanned to get the keys while the scan at a spot waits; 0 if negligible
 * @param filter
 *   creates the filter at a spot, given its [[FilterProvenance.leastShare]]
 */
private[dynamicfilter] final class Placement(
    shuffles: Boolean,
    learnedFrom: FilterProvenance,
    waitBytes: Spot => BigInt,
    conf: SQLConf)(filter: (Spot, Double) => DynamicFilter)
    extends PredicateHelper {

  def apply(spot: Spot): Answer = {
    val bytes = spot.leaf.stats.sizeInBytes
    val gate = SieveConf.dynamicFilterMinScanBytes(conf)
    lazy val waits = waitBytes(spot)
    def filtered = placed(spot, leastShare(bytes, waits))
    if (isThere(spot)) Left(Refusal.AlreadyThere)
    else if (bytes < gate)
      refused(
        Reason.BelowGate,
        s"a scan of $bytes bytes; see ${SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key}")
    else if (BigDecimal(bytes) < BigDecimal(waits) * ratio)
      refused(
        Reason.BuildSideTooLarge,
        s"$waits bytes for a scan of $bytes; " +
          s"see ${SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key}")
    else if (prunedBySpark(spot)) refused(Reason.PrunedBySpark, s"by ${spot.key.sql}")
    else if (paysWithoutScan(spot)) Right(filtered)
    else skippedBy(spot).map(_ => filtered)
  }

  /**
   * The spot's chain with the filter: on top, but by keys of a broadcast below those of shuffles,
   * for there are fewer of them, so they drop more rows and are cheaper to look up.
   */
  private def placed(spot: Spot, share: Double): LogicalPlan = spot.chain match {
    case other: DynamicFilter
        if learnedFrom.kind == FilterProvenance.Broadcast &&
          other.learnedFrom.kind == FilterProvenance.Shuffle =>
      other.withNewChildren(Seq(placed(spot.copy(chain = other.child), share)))
    case _ => filter(spot, share)
  }

  private def leastShare(scan: BigInt, waits: BigInt): Double =
    if (waits == 0 || scan == 0) 0 else (BigDecimal(waits) * ratio / BigDecimal(scan)).toDouble

  // While the keys are collected, the scan waits and could have run. Spark does not guarantee to
  // reuse an exchange either, so it may run the creation side once more than without the filter.
  private def ratio = SieveConf.dynamicFilterMinScanRatio(conf)

  private def refused(reason: Reason, detail: String) = Left(Refusal(reason, detail))

  /** Dropping rows before a shuffle or Python pays even if the scan can skip nothing. */
  private def paysWithoutScan(spot: Spot) =
    shuffles || spot.above.shuffles || spot.above.python

  private def skippedBy(spot: Spot): Either[Refusal, ScanColumn] =
    spot.atLeaf
      .flatMap(KeyForm.column)
      .map(ScanColumn.ofLeaf(spot.leaf, _, conf))
      .getOrElse(Left(Refusal(Reason.NothingToSkip, s"by ${spot.key.sql}")))

  /** Whether the filter is already there: the optimizer runs its last batch to a fixed point. */
  private def isThere(spot: Spot) = spot.chain.exists {
    case f: DynamicFilter =>
      f.learnedFrom == learnedFrom && f.key.references == spot.key.references
    case _ => false
  }

  private def prunedBySpark(spot: Spot) = spot.chain.exists {
    case Filter(condition, _) =>
      splitConjunctivePredicates(condition).exists {
        // Spark prunes nothing in a join that shuffles if the pruning is broadcast-only.
        case s: DynamicPruningSubquery =>
          s.pruningKey.references == spot.key.references &&
          !(s.onlyInBroadcast && shuffles)
        case _ => false
      }
    case _ => false
  }
}
