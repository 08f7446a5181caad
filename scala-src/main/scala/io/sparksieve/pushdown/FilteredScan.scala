// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.pushdown

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{
  AdaptiveSparkPlanExec,
  AdaptiveSparkPlanHelper,
  QueryStageExec
}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeLike, ReusedExchangeExec}
import org.apache.spark.sql.execution.python.EvalPythonExec

import io.sparksieve.report.core.{PrunesScan, RowFilterExec, ScanRows}

/**
 * A leaf of a physical plan with the filters above it.
 *
 * @param conjuncts
 *   the predicates that Spark evaluates on each row of the scan, over the columns of the scan
 * @param filters
 *   the operators that evaluate them, the uppermost first
 * @param isNarrowed
 *   whether Sieve prunes the scan with keys that it collects at run time
 * @param narrowedBy
 *   the operator that does so in this plan
 */
private[sparksieve] final case class FilteredScan(
    scan: SparkPlan,
    conjuncts: Seq[Expression],
    filters: Seq[SparkPlan],
    isNarrowed: Boolean,
    narrowedBy: Option[SparkPlan] = None) {

  /** The row counts of a run; None if the scan has no metric for its rows. */
  def rows: Option[ScanRows] = scan.metrics.get("numOutputRows").map { read =>
    ScanRows(read.value, filters.flatMap(kept).headOption.getOrElse(read.value))
  }

  private def kept(filter: SparkPlan): Option[Long] = filter match {
    case f: RowFilterExec => f.rowsKept
    case other => other.metrics.get("numOutputRows").map(_.value)
  }
}

private[sparksieve] object FilteredScan extends AdaptiveSparkPlanHelper with PredicateHelper {

  /**
   * The scans of a plan, in plan order, including the current plan of adaptive execution,
   * subqueries, and reused exchanges and subqueries. Each scan is listed once, however often the
   * plan refers to it.
   */
  def in(plan: SparkPlan): Seq[FilteredScan] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = ArrayBuffer.empty[FilteredScan]

    def visit(node: SparkPlan, above: Above): Unit = if (seen.add(node)) {
      node match {
        case f: FilterExec => visit(f.child, above.filteredBy(f.condition, f))
        case f: RowFilterExec => visit(f.children.head, above.filteredBy(f.predicate, f))
        case n: PrunesScan => visit(n.children.head, above.copy(narrowedBy = Some(n)))
        case p: ProjectExec if p.projectList.forall(_.deterministic) =>
          val aliases = getAliasMap(p.projectList)
          visit(p.child, above.over(e => fieldsOfMade(replaceAlias(e, aliases))))
        case p: EvalPythonExec =>
          val calls = AttributeMap(p.resultAttrs.zip(p.udfs))
          visit(p.child, above.over(_.transform { case a: Attribute => calls.getOrElse(a, a) }))
        case _: InputAdapter | _: WholeStageCodegenExec | _: ColumnarToRowExec |
            _: RowToColumnarExec | _: SerializeFromObjectExec =>
          visit(node.children.head, above)
        case stage: QueryStageExec => visit(stage.plan, above)
        case reused: ReusedExchangeExec => visit(reused.child, Above.nothing)
        case reused: ReusedSubqueryExec => visit(reused.child, Above.nothing)
        // A copy of a plan that appears elsewhere.
        case _: SubqueryAdaptiveBroadcastExec =>
        // Such a copy that nobody has run: its broadcast is no stage.
        case copy: AdaptiveSparkPlanExec if copy.executedPlan.isInstanceOf[BroadcastExchangeLike] =>
        case _ =>
          val children = allChildren(node)
          if (children.isEmpty)
            found += FilteredScan(
              node,
              above.conjuncts,
              above.filters,
              above.narrowedBy.nonEmpty,
              above.narrowedBy)
          else children.foreach(visit(_, Above.nothing))
      }
      node.subqueries.foreach(visit(_, Above.nothing))
    }

    visit(plan, Above.nothing)
    found.toVector
  }

  /** The filters above a node, up to the first operator that does more than filter or project. */
  private final case class Above(
      conjuncts: Seq[Expression],
      filters: Seq[SparkPlan],
      narrowedBy: Option[SparkPlan]) {

    def filteredBy(condition: Expression, by: SparkPlan): Above =
      copy(splitConjunctivePredicates(condition) ++ conjuncts, filters :+ by)

    def over(rewrite: Expression => Expression): Above = copy(conjuncts.map(rewrite))
  }

  private object Above {
    val nothing: Above = Above(Nil, Nil, narrowedBy = None)
  }

  /** Simplifies fields of the metadata struct of a file, which Spark builds only to read them. */
  private def fieldsOfMade(e: Expression) = e.transform {
    case GetStructField(KnownNotNull(made: CreateNamedStruct), i, _) => made.valExprs(i)
    case GetStructField(made: CreateNamedStruct, i, _) => made.valExprs(i)
  }
}
