package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{DynamicPruningSubquery, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf
import io.sparksieve.report.Reason

import KeyTrace.{Answer, Refusal, Spot}

/**
 * Decides whether a filter pays at a spot, and puts it there.
 *
 * @param waitBytes
 *   what is scanned before there are keys, while the scan waits; 0 if that is not worth a thought
 * @param filter
 *   the filter at a spot
 */
private[dynamicfilter] final class Placement(
    kind: String,
    learnedFrom: LearnedFrom,
    waitBytes: BigInt,
    conf: SQLConf)(filter: Spot => DynamicFilter)
    extends PredicateHelper {

  def apply(spot: Spot): Answer = {
    val bytes = spot.leaf.stats.sizeInBytes
    val gate = SieveConf.dynamicFilterMinScanBytes(conf)
    if (isThere(spot)) Left(Refusal.AlreadyThere)
    else if (bytes < gate)
      refused(
        Reason.BelowGate,
        s"a scan of $bytes bytes; see ${SieveConf.DYNAMIC_FILTER_MIN_SCAN_BYTES.key}")
    else if (BigDecimal(bytes) < BigDecimal(waitBytes) * ratio)
      refused(
        Reason.BuildSideTooLarge,
        s"$waitBytes bytes for a scan of $bytes; " +
          s"see ${SieveConf.DYNAMIC_FILTER_MIN_SCAN_RATIO.key}")
    else if (prunedBySpark(spot)) refused(Reason.PrunedBySpark, s"by ${spot.key.sql}")
    else if (paysWithoutScan(spot)) Right(filter(spot))
    else skippedBy(spot).map(_ => filter(spot))
  }

  // The scan could run meanwhile; and Spark, which promises no reuse of an exchange, may run the side
  // once more than it would without.
  private def ratio = SieveConf.dynamicFilterMinScanRatio(conf)

  private def refused(reason: Reason, detail: String) = Left(Refusal(reason, detail))

  /** A row that is dropped before a shuffle is worth the test by itself. */
  private def paysWithoutScan(spot: Spot) = kind == LearnedFrom.Shuffle || spot.shuffles

  private def skippedBy(spot: Spot): Either[Refusal, ScanColumn] =
    spot.atLeaf
      .flatMap(KeyForm.column)
      .map(ScanColumn.ofLeaf(spot.leaf, _, conf))
      .getOrElse(Left(Refusal(Reason.NothingToSkip, s"by ${spot.key.sql}")))

  /** The optimizer runs its last rules until nothing changes. */
  private def isThere(spot: Spot) = spot.chain.exists {
    case f: DynamicFilter =>
      f.learnedFrom == learnedFrom && f.key.references == spot.key.references
    case _ => false
  }

  private def prunedBySpark(spot: Spot) = spot.chain.exists {
    case Filter(condition, _) =>
      splitConjunctivePredicates(condition).exists {
        // One that works with a broadcast only does nothing in a join that shuffles.
        case s: DynamicPruningSubquery =>
          s.pruningKey.references == spot.key.references &&
          !(s.onlyInBroadcast && kind == LearnedFrom.Shuffle)
        case _ => false
      }
    case _ => false
  }
}
