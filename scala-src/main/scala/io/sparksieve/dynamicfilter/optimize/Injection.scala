// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.optimize

import scala.annotation.tailrec

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.JOIN
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.common.ForeignEngine
import io.sparksieve.common.order.{RowOrder, SeesPartitions}
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

  private lazy val shared = new SharedParts(root)
  private val pruning = new SparksPruning(root, conf)
  private lazy val engine = ForeignEngine.of(conf)

  private val small = new SmallSource(root, conf)
  private val rowLevel = SieveConf.dynamicFilterRowLevel(conf)
  private lazy val filterByKeys = new FilterByKeys(shared, pruning, rowIds, conf)
  private lazy val rowIds = if (rowLevel) MergeRowIds(root) else MergeRowIds.Nothing

  /** The plan with filters in it; the same instance if there are none. */
  def filtered: LogicalPlan =
    seesPartitions.fold(walk(root))(unfiltered(root, _))

  private def seesPartitions: Option[LogicalPlan] =
    if (conf.adaptiveExecutionEnabled)
      SeesPartitions.in(root.collect { case operator => operator })(isRandom)
    else None

  private def walk(plan: LogicalPlan): LogicalPlan = plan match {
    case _ if !plan.containsPattern(JOIN) || InjectDynamicFilter.isDone(plan) => plan
    // Spark analyzes and optimizes each step of a recursion anew, so this rule runs on it then.
    case _ if plan.nodeName == Recursion => plan
    case part if pruning.reads(part) => part
    case join: Join => filteredBy(join)
    case random if isRandom(random) => unfiltered(random, random)
    case other => other.mapChildren(walk)
  }

  /** The plan as it is, because `random` sees which rows its joins drop. */
  private def unfiltered(plan: LogicalPlan, random: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case join: Join => report(join, Refusal(Reason.NonDeterministic, s"by ${random.nodeName}"))
      case _ =>
    }
    plan
  }

  /** Whether an operator depends on the order or the partitions of its rows, apart from MERGE. */
  private def isRandom(operator: LogicalPlan): Boolean =
    RowOrder.matters(operator) &&
      !(rowLevel && (rowIds.recordsFiles(operator) || DeltasCounters.areAllThatMatters(operator)))

  private def filteredBy(join: Join): LogicalPlan = {
    val found = chosen(JoinDirection.of(join), None) match {
      case Left(Some(refusal)) => lower(join, refusal)
      case other => other
    }
    found match {
      case Right(planned) => planned.inject
      case Left(refusal) =>
        refusal.foreach(report(join, _))
        join.mapChildren(walk)
    }
  }

  /**
   * The first direction in which the join can be filtered; if there is none, the refusal of the
   * first direction.
   */
  @tailrec
  private def chosen(
      directions: Seq[JoinDirection],
      refusal: Option[Refusal]): Either[Option[Refusal], Planned] =
    directions match {
      case Seq(direction, others @ _*) =>
        plannedFor(direction) match {
          case Right(found) => Right(found)
          // Stop here: the filtered side would count as selective, and filter the creation side in
          // turn.
          case Left(Refusal.AlreadyThere) => Left(None)
          case Left(why) => chosen(others, refusal.orElse(Some(why)))
        }
      case _ => Left(refusal)
    }

  /**
   * A filter by the keys of a join below a creation side that was refused; that refusal if there is
   * none, and nothing if the filter is there already.
   */
  private def lower(join: Join, refusal: Refusal): Either[Option[Refusal], Planned] = {
    val answers = for {
      direction <- JoinDirection.of(join).iterator
      if direction.mayFilter && !join.isStreaming && engine.isEmpty && mayPay(direction.probe)
      (key, index) <- direction.buildKeys.map(KeyForm.stripped).zipWithIndex.collect {
        case (column: Attribute, index) if KeyTypes.supported(column.dataType) => column -> index
      }
      side <- LowerJoins
        .of(direction.build, Seq(key))
        .sortBy(s => ScanBytes(s.direction.build))
        .take(MostLower)
      from = side.direction
      if Selective(from.build, from.buildKeys, pruning, conf)
      // Keys of a side that is not pinned are valid for its own join only.
      source <- KeySource.of(from, pruning, conf).toOption.filter(_.pinned)
      if readTwice(from, source).isRight
      planned = new ByLower(direction, index, side, source, refusal)
    } yield planned.probe(from).map(_ => planned)
    answers
      .collectFirst {
        case Right(planned) => Right(planned)
        case Left(Refusal.AlreadyThere) => Left(None)
      }
      .getOrElse(Left(Some(refusal)))
  }

  /** Whether a scan is large enough; cheap, so that joins of many small tables are planned soon. */
  private def mayPay(probe: LogicalPlan): Boolean =
    probe.collectLeaves().exists(_.stats.sizeInBytes >= SieveConf.dynamicFilterMinScanBytes(conf))

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
      } yield new ByOwn(direction, source, keys)
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
      else {
        val keys = CollectedKeys(source, direction, index, below = false)
        index -> place(keys, direction, index, direction.probe)
      }
    }
    val found = answers.collect { case (index, Right(_)) => index }
    if (found.nonEmpty) Right(found.take(MostKeys))
    else {
      val refusals = answers.collect { case (_, Left(refusal)) => refusal }
      Left(refusals.find(_ == Refusal.AlreadyThere).getOrElse(refusals.head))
    }
  }

  private def place(keys: CollectedKeys, to: JoinDirection, index: Int, probe: LogicalPlan) =
    filterByKeys(keys, to.join, to.probeKeys(index), probe)

  private def tooNested(side: LogicalPlan): Option[Refusal] = {
    val depth = side.collectWithSubqueries { case f: DynamicFilter => f }.length
    if (depth > MostNested) Some(Refusal(Reason.NestedTooDeep, s"$depth filters")) else None
  }

  private def reportApplied(join: Join, kind: String)(keys: Seq[(Expression, Expression)]): Unit = {
    val pairs = keys.map { case (probe, build) =>
      s"${KeyForm.stripped(probe).sql} IN keys of ${KeyForm.stripped(build).sql}"
    }
    Report.applied(
      Features.DynamicFilter,
      Name,
      OperatorDescription(join),
      s"${pairs.mkString(", ")} ($kind)")
  }

  private sealed trait Planned {

    /** The join with the filters in it, and those of the joins below it. */
    def inject: LogicalPlan
  }

  /** Filters by the keys of the join's creation side. */
  private final class ByOwn(direction: JoinDirection, source: KeySource, keys: Seq[Int])
      extends Planned {

    override def inject: LogicalPlan = {
      val build = walk(direction.build)
      val probe = tooNested(build) match {
        case Some(refusal) =>
          report(direction.join, refusal)
          direction.probe
        case None =>
          reportApplied(direction.join, source.kind)(
            keys.map(i => direction.probeKeys(i) -> direction.buildKeys(i)))
          val walked = direction.copy(join = direction.withSides(build, direction.probe))
          keys.foldLeft(direction.probe) { (current, index) =>
            val collected = CollectedKeys(source, walked, index, below = false)
            place(collected, direction, index, current).getOrElse(current)
          }
      }
      direction.withSides(build, walk(probe))
    }
  }

  /**
   * A filter by the keys of a lower join's side.
   *
   * @param refusal
   *   why the join's own creation side is not used
   */
  private final class ByLower(
      direction: JoinDirection,
      index: Int,
      side: LowerJoins.Side,
      source: KeySource,
      refusal: Refusal)
      extends Planned {

    override def inject: LogicalPlan = {
      // First, so that the lower join's side is the same plan there and in the subquery.
      val build = walk(direction.build)
      val filtered = for {
        found <- side.in(build)
        if tooNested(found.direction.build).isEmpty
        probe <- probe(found.direction).toOption
      } yield probe
      if (filtered.isEmpty) report(direction.join, refusal)
      else
        reportApplied(direction.join, s"${source.kind} of a lower join")(
          Seq(direction.probeKeys(index) -> side.direction.buildKeys(side.index)))
      direction.withSides(build, walk(filtered.getOrElse(direction.probe)))
    }

    /** The application side filtered by the keys of the creation side of `from`. */
    def probe(from: JoinDirection): KeyTrace.Answer =
      place(
        CollectedKeys(source, from, side.index, below = true),
        direction,
        index,
        direction.probe)
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

  /** The most sides of lower joins that are tried for a key, the smallest first. */
  private val MostLower = 8
}
