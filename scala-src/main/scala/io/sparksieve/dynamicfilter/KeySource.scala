package io.sparksieve.dynamicfilter

import org.apache.spark.sql.catalyst.expressions.{
  DynamicPruningSubquery,
  Expression,
  ScalarSubquery
}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.SieveConf
import io.sparksieve.report.Reason

import KeyTrace.Refusal

/** How the keys of a join's side are had while the query runs. */
private[dynamicfilter] sealed abstract class KeySource(val kind: String) {

  /** Whether the side gives the same rows whenever it is read. */
  def pinned: Boolean

  /**
   * The subquery that has the keys.
   *
   * @param probeKey
   *   what they are compared with
   * @param build
   *   the side as it will stand in the join, so that Spark sees that it is the same
   * @param index
   *   which of the join's keys
   */
  def subquery(
      probeKey: Expression,
      build: LogicalPlan,
      buildKeys: Seq[Expression],
      index: Int): Expression
}

private[dynamicfilter] object KeySource {

  /**
   * From the join's own broadcast: costs no job. That it is the join's own matters, and is looked at
   * when it runs, where the side is not pinned ([[JoinsBroadcast]]).
   */
  final case class OfBroadcast(pinned: Boolean) extends KeySource(LearnedFrom.Broadcast) {
    override def subquery(
        probeKey: Expression,
        build: LogicalPlan,
        buildKeys: Seq[Expression],
        index: Int): Expression =
      BroadcastSubquery(probeKey, build, buildKeys, index)
  }

  /** From the side's shuffle, by one job that reads it. */
  final case class OfShuffle(caps: KeyCaps) extends KeySource(LearnedFrom.Shuffle) {
    override def pinned: Boolean = true

    override def subquery(
        probeKey: Expression,
        build: LogicalPlan,
        buildKeys: Seq[Expression],
        index: Int): Expression =
      ScalarSubquery(CollectKeys(buildKeys, index, caps, build))
  }

  /** How the keys of `direction` can be had, or why they cannot. */
  def of(direction: JoinDirection, conf: SQLConf): Either[Refusal, KeySource] = {
    import direction.{build, join}
    def refused(reason: Reason, detail: String) = Left(Refusal(reason, detail))
    if (!conf.exchangeReuseEnabled) refused(Reason.ReuseOff, SQLConf.EXCHANGE_REUSE_ENABLED.key)
    else if (!isComparable(build))
      refused(Reason.ReuseOff, "Spark cannot tell that two copies of a cached table are the same")
    else if (BroadcastJoin.isNestedLoop(join))
      refused(Reason.KeyNotTraced, "a hint asks for a nested loop")
    else {
      lazy val unsteady = Repeatable.obstacle(build)
      BroadcastJoin.side(join, conf) match {
        case Some(side) if side != direction.buildSide =>
          refused(Reason.FilteredSideBroadcast, "it is the other side that has the filter")
        // Spark plans such a subquery only then; otherwise the query would fail.
        case Some(_) if !conf.dynamicPartitionPruningEnabled =>
          refused(Reason.ReuseOff, SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key)
        case Some(_) => Right(OfBroadcast(pinned = unsteady.isEmpty))
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
        case None => Right(OfShuffle(KeyCaps(conf)))
      }
    }
  }

  // A further copy of a cached table has columns of its own, but keeps the order of the first one's;
  // Spark fails when it compares a plan that has such a copy with another.
  private def isComparable(plan: LogicalPlan): Boolean = plan.collectLeaves().forall {
    case cached: InMemoryRelation =>
      cached.outputOrdering.forall(_.references.subsetOf(cached.outputSet))
    case _ => true
  }

  /**
   * Whether Spark runs a query of its own to choose partitions of the plan. Such a query publishes
   * the whole plan while it runs, and waits for locks of each stage; a stage of a subquery that in
   * turn waits for that query holds its own, and both wait for ever.
   */
  private def awaitsPartitions(plan: LogicalPlan): Boolean =
    plan.exists(_.expressions.exists(_.exists {
      case pruning: DynamicPruningSubquery => !pruning.onlyInBroadcast
      case _ => false
    }))

  /** Then the join's exchange, if it has one, is not the one that the keys would come from. */
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
