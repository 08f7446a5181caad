// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.dynamicfilter.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{
  BaseSubqueryExec,
  CodegenSupport,
  InSubqueryExec,
  SparkPlan,
  SubqueryAdaptiveBroadcastExec,
  UnaryExecNode
}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}

import io.sparksieve.common.Numbers
import io.sparksieve.dynamicfilter.optimize.FilterProvenance
import io.sparksieve.keyset.{KeyType, SharedKeys}
import io.sparksieve.keyset.build.KeyTypes
import io.sparksieve.report.core.{AtRunTime, Features, Gains, Measured, Report, RowFilterExec}

/**
 * Runs [[DynamicFilter]]: drops rows whose key is NULL or not among the keys. If the keys could not
 * be collected, all rows pass. When a task observes that most rows pass, it stops probing for a
 * while (see [[SelectivityMonitor]]).
 *
 * @param source
 *   [[DynamicKeys]] or [[NotCollected]] once [[PushIntoScan]] has rewritten the operator; before
 *   that, Spark's physical form of the subquery, with which every row passes
 */
private[sparksieve] final case class DynamicFilterExec(
    key: Expression,
    source: Expression,
    learnedFrom: FilterProvenance,
    child: SparkPlan)
    extends UnaryExecNode
    with CodegenSupport
    with Measured
    with RowFilterExec {

  override lazy val metrics: Map[String, SQLMetric] = Map(
    "numInputRows" -> SQLMetrics.createMetric(sparkContext, "number of input rows"),
    "numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"),
    "numGaveUp" -> SQLMetrics.createMetric(sparkContext, "tasks that let rows pass untested")
  )

  override def output: Seq[Attribute] = child.output

  override def outputPartitioning: Partitioning = child.outputPartitioning

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering

  override def predicate: Expression =
    In(key, Seq(AtRunTime(s"keys of ${learnedFrom.key}", key.dataType)))

  // Unknown if a task let rows pass untested: the number of output rows includes them.
  override def rowsKept: Option[Long] =
    if (longMetric("numInputRows").value == 0 || longMetric("numGaveUp").value > 0) None
    else Some(longMetric("numOutputRows").value)

  private def keyType: KeyType = KeyTypes.of(key.dataType).get

  private def collected: Option[SharedKeys] = source match {
    case keys: DynamicKeys => keys.collected
    case _ => None
  }

  private def starter =
    new SelectivityMonitor.Starter(
      DynamicFilterExec.maxPass(learnedFrom.kind),
      longMetric("numInputRows"),
      longMetric("numOutputRows"),
      longMetric("numGaveUp"))

  override protected def doExecute(): RDD[InternalRow] = collected match {
    case None => child.execute()
    case Some(found) =>
      val probe = new KeyProbe(key, child.output, keyType, found, starter)
      child.execute().mapPartitions(probe.filter)
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  // Nothing is evaluated ahead of the test: a dropped row needs only the columns of its key.
  override def usedInputs: AttributeSet = AttributeSet.empty

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String =
    collected match {
      case None => consume(ctx, input)
      case Some(found) => test(ctx, input, found)
    }

  private def test(ctx: CodegenContext, input: Seq[ExprCode], found: SharedKeys): String = {
    val keys = found.field(ctx)
    val starters =
      ctx.addReferenceObj("watches", starter, classOf[SelectivityMonitor.Starter].getCanonicalName)
    val watch = ctx.addMutableState(
      classOf[SelectivityMonitor].getName,
      "watch",
      v => s"$v = $starters.start();",
      true)
    val evaluated = evaluateRequiredVariables(child.output, input, key.references)
    ctx.currentVars = input
    val value = BindReferences.bindReference(key, child.output).genCode(ctx)
    val contained = keyType.containsCode(keys, value.value.toString)
    // The loop is there for `continue`, which skips the row.
    s"""
       |do {
       |  $evaluated
       |  ${value.code}
       |  if ($watch.tests()) {
       |    if (${value.isNull} || !$contained) {
       |      $watch.dropped();
       |      continue;
       |    }
       |    $watch.kept();
       |  }
       |  ${consume(ctx, input)}
       |} while (false);
     """.stripMargin
  }

  override def gains: Gains = Gains(rowsDropped =
    math.max(0, longMetric("numInputRows").value - longMetric("numOutputRows").value))

  override def measurements: Seq[Report.Entry] = source match {
    case keys: DynamicKeys if keys.subquery.hasEnded =>
      val detail = keys.subquery.outcome.fold(
        why => s"nothing was filtered: $why",
        found => s"$found from a ${learnedFrom.kind}; $keptText") +
        learnedFrom.expected.fold("")(known => s"; expected: $known")
      Seq(measured(detail))
    case NotCollected(why) => Seq(measured(s"nothing was filtered: $why"))
    case _ => Nil
  }

  private def measured(detail: String) =
    Report.measured(
      Features.DynamicFilter,
      nodeName,
      s"${key.sql} IN keys of ${learnedFrom.key}",
      detail)

  private def keptText: String = {
    val untested = longMetric("numGaveUp").value
    val kept =
      Numbers.of(longMetric("numOutputRows").value, longMetric("numInputRows").value, "row")
    s"$kept kept" +
      (if (untested > 0)
         s"; most were, so ${Numbers.counted(untested, "task")} let rows pass untested"
       else "")
  }

  override protected def doCanonicalize(): SparkPlan =
    super.doCanonicalize() match {
      case f: DynamicFilterExec =>
        f.copy(source = comparable(f.source), learnedFrom = FilterProvenance.Unknown)
      case other => other
    }

  /**
   * Canonicalizes the logical plan inside SubqueryAdaptiveBroadcastExec, which stands for the keys
   * of a broadcast under adaptive execution. Spark keeps the expression ids of that plan, so no
   * exchange above this filter would equal the exchange of another copy of the plan, and none would
   * be reused.
   */
  private def comparable(canonical: Expression): Expression = canonical.transform {
    case in: InSubqueryExec if in.plan.isInstanceOf[SubqueryAdaptiveBroadcastExec] =>
      val fields = in.plan.productIterator.map {
        case plan: LogicalPlan => plan.canonicalized
        case field => field.asInstanceOf[AnyRef]
      }
      in.withNewPlan(in.plan.makeCopy(fields.toArray).asInstanceOf[BaseSubqueryExec])
  }

  override def nodeName: String = "DynamicFilter"

  override def simpleString(maxFields: Int): String = {
    val keys = source match {
      case left: NotCollected => s", $left"
      case _ => ""
    }
    s"$nodeName $key IN keys of $learnedFrom$keys"
  }

  override protected def withNewChildInternal(newChild: SparkPlan): DynamicFilterExec =
    copy(child = newChild)
}

private[sparksieve] object DynamicFilterExec {

  /**
   * The share of passing rows above which probing costs more than it saves. A row dropped before a
   * shuffle saves much; a row dropped before a broadcast join saves only the join's own lookup.
   */
  private def maxPass(kind: String): Double = if (kind == FilterProvenance.Shuffle) 0.9 else 0.5
}
