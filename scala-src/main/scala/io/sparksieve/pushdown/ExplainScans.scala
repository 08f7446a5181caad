// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec
import org.apache.spark.sql.execution.datasources.v2._

import io.sparksieve.common.MembershipPredicate
import io.sparksieve.compat.SparkCompat
import io.sparksieve.report.core.{
  AtRunTime,
  ExplainedPredicate,
  ExplainedScan,
  Layer,
  PredicateText,
  Step
}

/**
 * Explains which layers handle each predicate of each scan of a query. The explanation is built
 * from the physical plan, from the predicates that Spark offered to the sources before, and from
 * Spark's own translation of predicates. It reads only what planning reads, and does not run the
 * query. If something cannot be explained, it is left out or reported as not known.
 */
private[sparksieve] final class ExplainScans(session: SparkSession) extends Logging {

  private val files = new FileSources(session)

  /**
   * Evaluates `planned`, which plans `execution`, and returns its value with the scans of the plan.
   * `execution` must not have been planned before. Scans without a predicate are left out.
   *
   * @param rows
   *   the row counts of the query's last run
   */
  def apply[T](execution: QueryExecution, rows: Seq[RowsOfRun])(
      planned: => T): (T, Seq[ExplainedScan]) = {
    val (value, before) = BeforePushdown.recording(planned)
    val scans = guarded("the scans of a query", Seq.empty[ExplainedScan]) {
      val offered = new Offered(before)
      val found = FilteredScan.in(execution.executedPlan)
      val explained = RowsOfRun.assign(found, rows).flatMap { case (scan, counted) =>
        guarded(s"the scan ${scan.scan.nodeName}", Option.empty[Explained]) {
          explain(scan, offered, counted)
        }
      }
      Explained.once(explained)
    }
    (value, scans)
  }

  private def explain(
      found: FilteredScan,
      offered: Offered,
      run: Option[RowsOfRun]): Option[Explained] = {
    val now = found.copy(isNarrowed = found.isNarrowed || run.exists(_.isNarrowed))
    val leaf = found.scan.logicalLink.map(_.collectLeaves()).collect { case Seq(one) => one }
    val columns = leaf.fold(found.scan.output)(allColumns)
    val written = offered(columns)
    val source = sourceOf(found.scan, leaf, written)
    val predicates = Predicates.distinct(source match {
      // The plan shows the predicates that a file scan was offered.
      case _: FileSource => found.conjuncts ++ source.own
      // The plan does not show the predicates that a DSv2 source evaluates fully.
      case _ => written.filterNot(SubqueryExpression.hasSubquery) ++ found.conjuncts ++ source.own
    })
    val explained =
      predicates.filterNot(source.hides).flatMap(p => explain(p, source, now).map(p -> _))
    val telling = Predicates.telling(explained)
    if (telling.isEmpty) None
    else
      Some(
        Explained(
          columns.map(_.exprId),
          ExplainedScan(source.name, source.place, telling, run.map(_.rows))))
  }

  private def explain(
      predicate: Expression,
      source: Source,
      found: FilteredScan): Option[ExplainedPredicate] = {
    val sql = PredicateText(predicate)
    val alsoBySpark = Predicates.contains(found.conjuncts, predicate)
    val again = Step(Layer.Spark, "Spark evaluates it for each row that is read")
    val unknown = Source.does(Layer.NotKnown, "it could not be found out")
    def answer =
      if (isOfSieve(predicate, found)) narrowed(found) else source.answer(predicate, alsoBySpark)
    guarded(s"the predicate $sql", unknown)(answer) match {
      case Right(steps) =>
        Some(ExplainedPredicate(sql, if (alsoBySpark) steps :+ again else steps, None))
      case Left(blame) if alsoBySpark => Some(ExplainedPredicate(sql, Seq(again), Some(blame)))
      // The predicate was offered, but a later rule has replaced it.
      case Left(_) => None
    }
  }

  private def isOfSieve(predicate: Expression, found: FilteredScan) = predicate match {
    case In(_, Seq(_: AtRunTime)) => true
    case leaf: MembershipPredicate => leaf.keys.size == 1 && found.isNarrowed
    case _ => false
  }

  private def narrowed(found: FilteredScan): Source.Answer =
    if (found.isNarrowed)
      Source.does(Layer.Skipped, "files and row groups that hold no key can be skipped")
    else Right(Nil)

  /** All columns of a relation, including those that are not read. */
  private def allColumns(relation: LogicalPlan): Seq[Attribute] = relation match {
    case r: DataSourceV2ScanRelation => r.relation.output
    case other => other.output
  }

  private def sourceOf(
      scan: SparkPlan,
      leaf: Option[LogicalPlan],
      offered: Seq[Expression]): Source = (scan, leaf) match {
    case (s: FileSourceScanExec, _) => files(s)
    case (s: InMemoryTableScanExec, _) => new CachedSource(s, SparkCompat.conf(session))
    case (s: BatchScanExec, Some(r: DataSourceV2ScanRelation)) =>
      s.scan match {
        case f: FileScan => files(f, r.relation.name)
        case _ => new TableSource(r, offered, s.runtimeFilters)
      }
    // A DSv1 relation behind a DSv2 table, or local rows that the DSv2 source has already computed.
    case (_: RowDataSourceScanExec | _: LocalTableScanExec, Some(r: DataSourceV2ScanRelation)) =>
      new TableSource(r, offered, Nil)
    case (s: RowDataSourceScanExec, _) => new RowSource(s)
    case _ => new OtherSource(scan)
  }

  private def guarded[T](what: => String, fallback: T)(body: => T): T =
    try body
    catch {
      case e @ (NonFatal(_) | _: StackOverflowError) =>
        logWarning(s"Sieve could not explain $what: $e", e)
        fallback
    }
}

/** @param columns of the relation that is read; a rule that copies the scan keeps them */
private[pushdown] final case class Explained(columns: Seq[ExprId], scan: ExplainedScan)

private[pushdown] object Explained {

  /** Drops copies of a scan, such as those that read keys: a copy has no row counts of its own. */
  def once(all: Seq[Explained]): Seq[ExplainedScan] = {
    def key(e: Explained) = (e.columns, e.scan.predicates.map(_.sql).toSet)
    all.indices.filter(i => !all.take(i).exists(key(_) == key(all(i)))).map(all(_).scan)
  }
}
