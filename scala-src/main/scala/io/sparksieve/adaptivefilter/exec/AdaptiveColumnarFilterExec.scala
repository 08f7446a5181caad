// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter.exec

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.execution.{CodegenSupport, ColumnarToRowTransition, SparkPlan}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import io.sparksieve.adaptivefilter.codegen.VectorCode
import io.sparksieve.adaptivefilter.run.BatchRun

/**
 * The columnar form of [[AdaptiveFilterExec]]: evaluates each predicate in its own loop over the
 * remaining rows of a batch, and outputs the rows that pass all predicates.
 *
 * @param child
 *   outputs batches
 */
private[sparksieve] final case class AdaptiveColumnarFilterExec(
    condition: Expression,
    child: SparkPlan)
    extends ColumnarToRowTransition
    with CodegenSupport
    with AdaptiveFilter {

  override lazy val metrics: Map[String, SQLMetric] =
    filterMetrics + ("numInputBatches" ->
      SQLMetrics.createMetric(sparkContext, "number of input batches"))

  // This operator has the loop over rows, as Spark's ColumnarToRowExec does.
  override protected def canCheckLimitNotReached: Boolean = true

  private def filter = {
    val ready = prepared
    new BatchFilter(ready, child.output, child.vectorTypes, handle(ready))
  }

  override def inputRDDs(): Seq[RDD[InternalRow]] =
    Seq(child.executeColumnar().asInstanceOf[RDD[InternalRow]])

  override protected def doExecute(): RDD[InternalRow] = {
    val (filters, input) = (filter, child.output)
    val (rowsOut, batches) = (longMetric("numOutputRows"), longMetric("numInputBatches"))
    child.executeColumnar().mapPartitionsWithIndex { (partition, source) =>
      // The consumer of this iterator may not read all rows.
      val run = filters.start(partition, lookAhead = false)
      val toUnsafe = UnsafeProjection.create(input, input)
      toUnsafe.initialize(partition)
      source.flatMap { batch =>
        batches.add(1)
        val count = run.select(batch)
        val rows = run.rows
        Iterator.range(0, count).map(rows(_)).filter(run.keeps).map { row =>
          rowsOut.add(1)
          toUnsafe(batch.getRow(row))
        }
      }
    }
  }

  override protected def doProduce(ctx: CodegenContext): String = {
    val input =
      ctx.addMutableState("scala.collection.Iterator", "input", v => s"$v = inputs[0];")
    val batchClass = classOf[ColumnarBatch].getName
    val batch = ctx.addMutableState(batchClass, "batch")
    val position = ctx.addMutableState(CodeGenerator.JAVA_INT, "position")
    val count = ctx.addMutableState(CodeGenerator.JAVA_INT, "selected")
    val rows = ctx.addMutableState("int[]", "rows")
    // A row that a LIMIT above never reads must not raise an error.
    val lookAhead = !parent.needStopCheck && parent.limitNotReachedChecks.isEmpty
    val isLate = !lookAhead && conjuncts.exists(c => c.staysBehind || !c.deterministic)
    val filters = ctx.addReferenceObj("batchFilter", filter, classOf[BatchFilter].getName)
    val run = ctx.addMutableState(
      classOf[BatchRun].getName,
      "run",
      v => s"$v = $filters.start(partitionIndex, $lookAhead);",
      forceInline = true)
    val rowsOut = metricTerm(ctx, "numOutputRows")
    val batches = metricTerm(ctx, "numInputBatches")
    val classes =
      child.vectorTypes.getOrElse(Seq.fill(output.size)(classOf[ColumnVector].getName))
    val (columns, opened) = classes.zipWithIndex.map { case (vectorClass, i) =>
      val column = ctx.addMutableState(vectorClass, s"column$i")
      column -> s"$column = ($vectorClass) $batch.column($i);"
    }.unzip
    val next = ctx.freshName("nextBatch")
    val nextBatch = ctx.addNewFunction(
      next,
      s"""
         |private void $next() throws java.io.IOException {
         |  if ($input.hasNext()) {
         |    $batch = ($batchClass) $input.next();
         |    $batches.add(1);
         |    $count = $run.select($batch);
         |    $rows = $run.rows();
         |    $position = 0;
         |    ${opened.mkString("\n")}
         |  }
         |}""".stripMargin
    )
    val row = ctx.freshName("row")
    ctx.currentVars = null
    val values = output.zip(columns).map { case (attribute, column) =>
      VectorCode(ctx, column, row, attribute.dataType, attribute.nullable)
    }
    val tested = if (isLate) s"if (!$run.keeps($row)) continue;" else ""
    val stop = if (parent.needStopCheck) "if (shouldStop()) return;" else ""
    s"""
       |if ($batch == null) {
       |  $nextBatch();
       |}
       |while ($limitNotReachedCond $batch != null) {
       |  while ($limitNotReachedCond $position < $count) {
       |    int $row = $rows[$position++];
       |    do {
       |      $tested
       |      $rowsOut.add(1);
       |      ${consume(ctx, values).trim}
       |    } while (false);
       |    $stop
       |  }
       |  if ($position < $count) break;
       |  $batch.closeIfFreeable();
       |  $batch = null;
       |  $nextBatch();
       |}
       |if ($batch != null) {
       |  $batch.close();
       |}
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): AdaptiveColumnarFilterExec =
    copy(child = newChild)
}
