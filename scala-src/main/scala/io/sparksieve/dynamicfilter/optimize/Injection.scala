// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.common.ForeignEngine
import io.sparksieve.common.order.RowOrder
import io.sparksieve.conf.SieveConf
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.report.core.{Features, OperatorDescription, Reason, Refusal, Report}
import io.sparksieve.scan.KeyForm

/**
 * One run of [[InjectDynamicFilter]] over a plan.
 *
 * @param root
 *   the whole plan
 */
private[dynamicfilter] final class Injection(root: LogicalPlan, conf: SQLConf) {
  import Injection._
  import InjectDynamicFilter.Name
  import KeyTrace.Spot

  private lazy val shared = new SharedParts(root)
  private val pruning = new SparksPruning(root, conf)
  private lazy val engine = ForeignEngine.of(conf)

  private val small = new SmallSource(root, conf)
  private val rowLevel = SieveConf.dynamicFilterRowLevel(conf)
  private lazy val rowIds = if (rowLevel) MergeRowIds(root) else MergeRowIds.Nothing

  /** The plan with filters in it; the same instance if there are none. */
  def filtered: LogicalPlan = walk(root)

  private def walk(plan: LogicalPlan): LogicalPlan = plan match {
    case _ if !plan.containsPattern(JOIN) || InjectDynamicFilter.isDone(plan) => plan
    // Spark analyzes and optimizes each step of a recursion anew, so this rule runs on it then.
    case _ if plan.nodeName == Recursion => plan
    case part if pruning.reads(part) => part
    case join: Join => filteredBy(join)
    case random if isRandom(random) =>
      random.foreach {
        case join: Join => report(join, Refusal(Reason.NonDeterministic, s"by ${random.nodeName}"))
        case _ =>
      }
      random
    case other => other.mapChildren(walk)
  }

  /** Whether an operator depends on the order or the partitions of its rows, apart from MERGE. */
  private def isRandom(operator: LogicalPlan): Boolean =
    RowOrder.matters(operator) &&
      !(rowLevel && (rowIds.recordsFiles(operator) || DeltasCounters.areAllThatMatters(operator)))

  private def filteredBy(join: Join): LogicalPlan =
    chosen(JoinDirection.of(join), None) match {
      case Right((direction, found)) => found.inject(direction)
      case Left(refusal) =>
        refusal.foreach(report(join, _))
        join.mapChildren(walk)
    }

  /**
   * The first direction in which the join can be filtered; if there is none, the refusal of the
   * first direction.
   */
  @tailrec
  private def chosen(
      directions: Seq[JoinDirection],
      refusal: Option[Refusal]): Either[Option[Refusal], (JoinDirection, Planned)] =
    directions match {
      case Seq(direction, others @ _*) =>
        plannedFor(direction) match {
          case Right(found) => Right(direction -> found)
          // Stop here: the filtered side would count as selective, and filter the creation side in
          // turn.
          case Left(Refusal.AlreadyThere) => Left(None)
          case Left(why) => chosen(others, refusal.orElse(Some(why)))
        }
      case _ => Left(refusal)
    }

  private def report(join: Join, refusal: Refusal): Unit = refusal.reason.foreach { reason =>
    Report.declined(Features.DynamicFilter, Name, reason, OperatorDescription(join), refusal.detail)
  }

  /** The filters that are possible in a direction, or why there are none; changes nothing. */
  private def plannedFor(direction: JoinDirection): Either[Refusal, Planned] =
    if (direction.join.isStreaming) Left(Refusal(Reason.Streaming, "the join reads a stream"))
    else if (!direction.mayFilter)
      Left(Refusal(Reason.PreservedSide, "the other side's rows all come out"))
    else {
      for {
        _ <- selective(direction)
        _ <- engine.map(e => Refusal(Reason.ForeignOperator, s"$e runs the query")).toLeft(())
        source <- KeySource.of(direction, pruning, conf)
        _ <- readTwice(direction, source)
        keys <- traced(direction, source)
      } yield new Planned(source, keys)
    }

  private def selective(direction: JoinDirection): Either[Refusal, Unit] =
    if (Selective(direction.build, direction.buildKeys, pruning, conf)) Right(())
    else small.obstacle(direction).toLeft(())

  /** A side that is read twice must be small, even if it has a filter. */
  private def readTwice(direction: JoinDirection, source: KeySource): Either[Refusal, Unit] =
    source match {
      case shuffle: KeySource.OfShuffle if shuffle.counted =>
        small.obstacle(direction).toLeft(())
      case _ => Right(())
    }

  /** The positions of the keys by which a scan can be filtered, at most [[MostKeys]]. */
  private def traced(direction: JoinDirection, source: KeySource): Either[Refusal, Seq[Int]] = {
    val answers = direction.probeKeys.indices.map { index =>
      if (!KeyTypes.supported(direction.buildKeys(index).dataType))
        index -> Left(Refusal(Reason.UnsupportedKeyType, direction.buildKeys(index).dataType.sql))
      else index -> place(direction, source, index, direction.build, direction.probe)
    }
    val found = answers.collect { case (index, Right(_)) => index }
    if (found.nonEmpty) Right(found.take(MostKeys))
    else {
      val refusals = answers.collect { case (_, Left(refusal)) => refusal }
      Left(refusals.find(_ == Refusal.AlreadyThere).getOrElse(refusals.head))
    }
  }

  private def place(
      direction: JoinDirection,
      source: KeySource,
      index: Int,
      build: LogicalPlan,
      probe: LogicalPlan): KeyTrace.Answer = {
    val buildKey = direction.buildKeys(index)
    val learnedFrom =
      FilterProvenance(buildKey.sql, buildKey.references.map(_.exprId).toSet, source.kind)(pinned =
        source.pinned)
    val placement =
      new Placement(source.kind, learnedFrom, waitBytes(source, direction.build, _), conf)(spot =>
        DynamicFilter(
          spot.key,
          source.subquery(spot.key, build, direction.buildKeys, index),
          learnedFrom.expecting(spot.leaf.stats, direction.build.stats),
          spot.chain))
    lazy val readsAgain = shared.readsAgain(direction.join)
    def isShared(part: LogicalPlan) =
      pruning.reads(part) || readsAgain || shared.moreOften(direction.join, part)
    new KeyTrace(placement(_), rowIds, isShared)(
      probe,
      KeyForm.stripped(direction.probeKeys(index)))
  }

  /**
   * The bytes scanned before the keys are available, while the scan at `spot` could have run; 0 if
   * it has to wait for the join's broadcast anyway, because it is in the stage of the join, or if
   * the broadcast takes no stage of its own.
   */
  private def waitBytes(source: KeySource, build: LogicalPlan, spot: Spot): BigInt = {
    def exchanges = build.exists {
      case j: Join => !BroadcastJoin(j)
      case other => Exchanges(other)
    }
    if (source.kind == FilterProvenance.Broadcast && !(spot.above.shuffles && exchanges)) 0
    else ScanBytes(build)
  }

  private final class Planned(source: KeySource, keys: Seq[Int]) {

    def inject(direction: JoinDirection): LogicalPlan = {
      val build = walk(direction.build)
      val nested = build.collectWithSubqueries { case f: DynamicFilter => f }.length
      val probe =
        if (nested > MostNested) {
          report(direction.join, Refusal(Reason.NestedTooDeep, s"$nested filters"))
          direction.probe
        } else {
          Report.applied(
            Features.DynamicFilter,
            Name,
            OperatorDescription(direction.join),
            detail(direction))
          keys.foldLeft(direction.probe) { (current, index) =>
            place(direction, source, index, build, current).getOrElse(current)
          }
        }
      direction.withSides(build, walk(probe))
    }

    private def detail(direction: JoinDirection): String = {
      val pairs =
        keys.map(i => s"${direction.probeKeys(i).sql} IN keys of ${direction.buildKeys(i).sql}")
      s"${pairs.mkString(", ")} (${source.kind})"
    }
  }
}

private object Injection {

  /** Spark's operator of a recursive WITH definition, since 4.1. */
  private val Recursion = "UnionLoop"

  /** The most keys of a join to filter by: a shuffled side is read once more for each key. */
  private val MostKeys = 3

  /**
   * The most filters in a creation side. The side appears twice in the plan, in the join and in the
   * subquery, and with it the filters in the side, their subqueries and the filters in those: each
   * level doubles them.
   */
  private val MostNested = 3
}
