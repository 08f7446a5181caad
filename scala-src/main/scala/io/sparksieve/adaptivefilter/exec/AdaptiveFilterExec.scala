// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.execution.{CodegenSupport, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric

import io.sparksieve.adaptivefilter.codegen.{
  EvaluatedColumns,
  GenerateRowFilter,
  RowArguments,
  WholeRow
}
import io.sparksieve.adaptivefilter.predicate.{Conjunct, Conjuncts, RowConjuncts}

/**
 * Keeps the rows for which a condition is true, as Spark's FilterExec does, and learns the cheapest
 * order of its predicates while it runs. Replaces a FilterExec or the condition of an inner join.
 * Over columnar batches, [[AdaptiveColumnarFilterExec]] replaces this operator before it runs.
 */
private[adaptivefilter] final case class AdaptiveFilterExec(condition: Expression, child: SparkPlan)
    extends AdaptiveFilter
    with CodegenSupport {

  override lazy val metrics: Map[String, SQLMetric] = filterMetrics

  override protected def split(condition: Expression): Seq[Conjunct] =
    RowConjuncts(super.split(condition))

  override protected def doExecute(): RDD[InternalRow] = {
    val ready = prepared
    val (shared, input) = (handle(ready), child.output)
    val rowsOut = longMetric("numOutputRows")
    child.execute().mapPartitionsWithIndex { (partition, rows) =>
      val filter = RowFilter(ready, input, shared, partition)
      rows.filter { row =>
        val keeps = filter.keeps(row)
        if (keeps) rowsOut.add(1)
        keeps
      }
    }
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  // The columns of the predicates are evaluated here.
  override def usedInputs: AttributeSet = AttributeSet.empty

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val ready = prepared
    // If the child provides a row, each predicate reads its columns from it when it is evaluated.
    val source = Option(row).filter(r => r.code.toString.isEmpty && input.nonEmpty)
    val arguments =
      source.fold[RowArguments](EvaluatedColumns(child.output))(r => WholeRow(r.value.toString))
    val code = new GenerateRowFilter(ctx, ready, child.output, handle(ready), arguments)
    val evaluated =
      if (source.nonEmpty) ""
      else {
        val columns = AttributeSet(ready.flatMap(_.references))
        evaluateRequiredVariables(child.output, input, columns)
      }
    val keeps = code.keeps(input)
    // Operators above generate better code for columns that are known not to be NULL.
    val notNull = Conjuncts.neverNull(condition, child.output)
    val passed = input.zip(child.output).map { case (value, attribute) =>
      if (notNull.contains(attribute)) value.copy(isNull = FalseLiteral) else value
    }
    s"""
       |do {
       |  $evaluated
       |  if (!$keeps) continue;
       |  ${metricTerm(ctx, "numOutputRows")}.add(1);
       |  ${consume(ctx, passed)}
       |} while (false);
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): AdaptiveFilterExec =
    copy(child = newChild)
}
