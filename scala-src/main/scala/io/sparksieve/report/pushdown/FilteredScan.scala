package io.sparksieve.report.pushdown

import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanHelper, QueryStageExec}
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.execution.python.EvalPythonExec

/**
 * A leaf of a physical plan with the filters above it.
 *
 * @param conjuncts
 *   what Spark asks each row of the scan, over the columns of the scan
 * @param filters
 *   the operators that ask, the uppermost first
 * @param isNarrowed
 *   whether Sieve makes the scan read less by keys that it learns
 */
private[pushdown] final case class FilteredScan(
    scan: SparkPlan,
    conjuncts: Seq[Expression],
    filters: Seq[SparkPlan],
    isNarrowed: Boolean) {

  /** What a run counted; None if the scan does not count. */
  def rows: Option[ScanRows] = scan.metrics.get("numOutputRows").map { read =>
    ScanRows(read.value, filters.flatMap(kept).headOption.getOrElse(read.value))
  }

  private def kept(filter: SparkPlan): Option[Long] = filter match {
    case f: AsksRows => f.rowsKept
    case other => other.metrics.get("numOutputRows").map(_.value)
  }
}

private[pushdown] object FilteredScan extends AdaptiveSparkPlanHelper with PredicateHelper {

  /**
   * The scans of a plan in its order: of the plan that adaptive execution has come to, of
   * subqueries, and of what is reused, each once however often it is referred to.
   */
  def in(plan: SparkPlan): Seq[FilteredScan] = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[SparkPlan, java.lang.Boolean])
    val found = ArrayBuffer.empty[FilteredScan]

    def visit(node: SparkPlan, above: Above): Unit = if (seen.add(node)) {
      node match {
        case f: FilterExec => visit(f.child, above.asked(f.condition, f))
        case f: AsksRows => visit(f.children.head, above.asked(f.asked, f))
        case n: NarrowsScan => visit(n.children.head, above.copy(isNarrowed = true))
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
        // A copy of a plan that stands elsewhere.
        case _: SubqueryAdaptiveBroadcastExec =>
        case _ =>
          val children = allChildren(node)
          if (children.isEmpty)
            found += FilteredScan(node, above.conjuncts, above.filters, above.isNarrowed)
          else children.foreach(visit(_, Above.nothing))
      }
      node.subqueries.foreach(visit(_, Above.nothing))
    }

    visit(plan, Above.nothing)
    found.toVector
  }

  /** What stands above a node, up to what is no filter. */
  private final case class Above(
      conjuncts: Seq[Expression],
      filters: Seq[SparkPlan],
      isNarrowed: Boolean) {

    def asked(condition: Expression, by: SparkPlan): Above =
      copy(splitConjunctivePredicates(condition) ++ conjuncts, filters :+ by)

    def over(rewrite: Expression => Expression): Above = copy(conjuncts.map(rewrite))
  }

  private object Above {
    val nothing: Above = Above(Nil, Nil, isNarrowed = false)
  }

  /** The columns of a file's metadata are put together only to be taken apart. */
  private def fieldsOfMade(e: Expression) = e.transform {
    case GetStructField(KnownNotNull(made: CreateNamedStruct), i, _) => made.valExprs(i)
    case GetStructField(made: CreateNamedStruct, i, _) => made.valExprs(i)
  }
}
