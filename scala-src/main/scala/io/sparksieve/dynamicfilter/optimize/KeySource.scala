// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import org.apache.spark.sql.catalyst.expressions.{
  DynamicPruningSubquery,
  Expression,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.conf.SieveConf
import io.sparksieve.report.core.{Reason, Refusal}

/** How the keys of the creation side are collected while the query runs. */
private[dynamicfilter] sealed abstract class KeySource(val kind: String) {

  /** Whether the creation side yields the same rows each time it is read. */
  def pinned: Boolean

  /**
   * The subquery that yields the keys.
   *
   * @param probeKey
   *   the key on the application side that they are compared with
   * @param build
   *   the creation side exactly as in the rewritten join, so that Spark recognizes both as equal
   * @param index
   *   the position of the key among the join's keys
   */
  def subquery(
      probeKey: Expression,
      build: LogicalPlan,
      buildKeys: Seq[Expression],
      index: Int): Expression
}

private[dynamicfilter] object KeySource {

  /**
   * From the join's own broadcast, which costs no job. If the side is not pinned, the keys are
   * valid only if the broadcast is indeed the join's own; that is checked at run time
   * ([[JoinsBroadcast]]).
   */
  final case class OfBroadcast(pinned: Boolean, pruning: SparksPruning)
      extends KeySource(FilterProvenance.Broadcast) {
    override def subquery(
        probeKey: Expression,
        build: LogicalPlan,
        buildKeys: Seq[Expression],
        index: Int): Expression =
      BroadcastSubquery(probeKey, CopyOfSide.of(build, pruning.within(build)), buildKeys, index)
  }

  /**
   * From the side's shuffle, by an extra job that reads it.
   *
   * @param counted
   *   whether the side has [[DeltasCounters]]. The copy has none, so it is not equal to the side,
   *   which is read twice.
   */
  final case class OfShuffle(caps: KeyCaps, pruning: SparksPruning, counted: Boolean)
      extends KeySource(FilterProvenance.Shuffle) {
    override def pinned: Boolean = true

    override def subquery(
        probeKey: Expression,
        build: LogicalPlan,
        buildKeys: Seq[Expression],
        index: Int): Expression =
      ScalarSubquery(CopyOfSide.of(
        CollectKeys(buildKeys, index, caps, if (counted) DeltasCounters.without(build) else build),
        pruning.within(build)))
  }

  /** How the keys of `direction` can be collected, or why they cannot. */
  def of(
      direction: JoinDirection,
      pruning: SparksPruning,
      conf: SQLConf): Either[Refusal, KeySource] = {
    import direction.{build, join}
    def refused(reason: Reason, detail: String) = Left(Refusal(reason, detail))
    if (!conf.exchangeReuseEnabled) refused(Reason.ReuseOff, SQLConf.EXCHANGE_REUSE_ENABLED.key)
    else if (!isComparable(build))
      refused(Reason.ReuseOff, "Spark cannot tell that two copies of a cached table are the same")
    else if (!conf.adaptiveExecutionEnabled && pruning.within(build).nonEmpty)
      refused(
        Reason.ReuseOff,
        "Spark prunes its partitions by the broadcast of another join, but not in the copy whose " +
          s"keys would be collected, because ${SQLConf.ADAPTIVE_EXECUTION_ENABLED.key} is false"
      )
    else if (BroadcastJoin.isNestedLoop(join))
      refused(Reason.KeyNotTraced, "a hint asks for a nested loop")
    else {
      // The rows of a side that only inserts are all read, so counters below count all of them. In
      // other joins, how many are read may depend on the rows of the other side.
      lazy val counted = join.joinType == LeftAnti && DeltasCounters.in(build)
      lazy val unsteady =
        Repeatable.obstacle(if (counted) DeltasCounters.without(build) else build)
      BroadcastJoin.side(join, conf) match {
        case Some(side) if side != direction.buildSide =>
          refused(Reason.FilteredSideBroadcast, "it is the other side that has the filter")
        // Without dynamic partition pruning Spark cannot plan the subquery, and the query would
        // fail.
        case Some(_) if !conf.dynamicPartitionPruningEnabled =>
          refused(Reason.ReuseOff, SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key)
        case Some(_) => Right(OfBroadcast(pinned = unsteady.isEmpty && !counted, pruning))
        case None if unsteady.nonEmpty => Left(unsteady.get)
        case None if awaitsPartitions(build) =>
          refused(
            Reason.ReuseOff,
            "its partitions are chosen by a query of their own, because " +
              s"${SQLConf.DYNAMIC_PARTITION_PRUNING_REUSE_BROADCAST_ONLY.key} is false"
          )
        case None if ScanBytes(build) > SieveConf.dynamicFilterMaxBuildBytes(conf) =>
          refused(
            Reason.BuildSideTooLarge,
            s"${ScanBytes(build)} bytes; see ${SieveConf.DYNAMIC_FILTER_MAX_BUILD_BYTES.key}")
        case None if conf.bucketingEnabled && isBucketed(direction) =>
          refused(Reason.BucketedBuildSide, "a side is bucketed by the join's keys")
        case None => Right(OfShuffle(KeyCaps(conf), pruning, counted))
      }
    }
  }

  // A second copy of a cached table has new output attributes, but its ordering still refers to
  // those of the first copy. Spark fails when it compares a plan that has such a copy with another
  // plan.
  private def isComparable(plan: LogicalPlan): Boolean = plan.collectLeaves().forall {
    case cached: InMemoryRelation =>
      cached.outputOrdering.forall(_.references.subsetOf(cached.outputSet))
    case _ => true
  }

  /**
   * Whether Spark runs an extra query to choose partitions of the plan. While that query runs, it
   * publishes the whole plan, for which it needs the lock of every stage. A stage of the keys'
   * subquery that waits for that query holds its own lock, so both wait forever.
   */
  private def awaitsPartitions(plan: LogicalPlan): Boolean =
    plan.exists(_.expressions.exists(_.exists {
      case pruning: DynamicPruningSubquery => !pruning.onlyInBroadcast
      case _ => false
    }))

  /**
   * Whether the join's keys include all bucket columns of a table on either side. Then the join's
   * exchange, if there is one, differs from the exchange that the keys would be read from.
   */
  private def isBucketed(direction: JoinDirection): Boolean = {
    val keys = (direction.buildKeys ++ direction.probeKeys).flatMap(_.references).map(_.name).toSet
    Seq(direction.build, direction.probe).flatMap(_.collectLeaves()).exists {
      case r: LogicalRelation =>
        r.relation match {
          case fs: HadoopFsRelation =>
            fs.bucketSpec.exists(_.bucketColumnNames.forall(keys.contains))
          case _ => false
        }
      case _ => false
    }
  }
}
