// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.bench.adaptivefilter

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution._

/**
 * A filter that evaluates predicates as document 003's published prototype does: row by row,
 * through a switch with a boxed result; a row is sampled if the row count is a multiple of the
 * collect rate. It does not protect predicates that can throw; it is only for comparison.
 */
final case class PrototypeFilterExec(condition: Expression, child: SparkPlan)
    extends UnaryExecNode
    with CodegenSupport
    with PredicateHelper {

  override def output: Seq[Attribute] = child.output

  override protected def doExecute(): RDD[InternalRow] =
    throw new UnsupportedOperationException("Only generated code is compared.")

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  override def usedInputs: AttributeSet = AttributeSet.empty

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val predicates = splitConjunctivePredicates(condition)
    val evaluated = evaluateRequiredVariables(child.output, input, condition.references)
    ctx.currentVars = input
    val cases = predicates.zipWithIndex.map { case (predicate, k) =>
      val code = BindReferences.bindReference(predicate, child.output).genCode(ctx)
      s"""
         |case $k: {
         |  ${code.code}
         |  answer = Boolean.valueOf(!${code.isNull} && ${code.value});
         |  break;
         |}
       """.stripMargin
    }
    val stateClass = classOf[PrototypeState].getName
    val ranks = ctx.addReferenceObj("ranks", new PrototypeState(predicates.size), stateClass)
    val state = ctx.addMutableState(stateClass, "state", v => s"$v = $ranks;", true)
    val seen = ctx.addMutableState(CodeGenerator.JAVA_LONG, "seen")
    s"""
       |do {
       |  $evaluated
       |  boolean sample = $seen++ % ${PrototypeState.CollectRate} == 0;
       |  boolean keep = true;
       |  int[] order = $state.order();
       |  for (int i = 0; i < order.length && (keep || sample); i++) {
       |    long start = sample ? System.nanoTime() : 0L;
       |    Boolean answer = null;
       |    switch (order[i]) {
       |      ${cases.mkString("\n")}
       |    }
       |    if (sample) $state.add(order[i], answer.booleanValue(), System.nanoTime() - start);
       |    keep &= answer.booleanValue();
       |  }
       |  if ($seen % ${PrototypeState.CalculateRate} == 0) $state.rank();
       |  if (!keep) continue;
       |  ${consume(ctx, input)}
       |} while (false);
     """.stripMargin
  }

  override protected def withNewChildInternal(newChild: SparkPlan): PrototypeFilterExec =
    copy(child = newChild)
}

/** Replaces Spark's filters by [[PrototypeFilterExec]], if the conf [[Switch]] is true. */
object PlanPrototypeFilter extends Rule[SparkPlan] {

  val Switch = "spark.sieve.bench.prototype"

  override def apply(plan: SparkPlan): SparkPlan =
    if (conf.getConfString(Switch, "false") != "true") plan
    else
      plan.transformUp { case FilterExec(condition, child) =>
        PrototypeFilterExec(condition, child)
      }
}

/**
 * The ranks of a filter's predicates. Tasks of one process share them, and overwrite each other.
 */
final class PrototypeState(predicates: Int) extends Serializable {

  private val evaluated = new Array[Long](predicates)
  private val passed = new Array[Long](predicates)
  private val nanos = new Array[Long](predicates)
  private val ranks = new Array[Double](predicates)
  @volatile private var current = Array.range(0, predicates)

  def order(): Array[Int] = current

  def add(predicate: Int, answer: Boolean, time: Long): Unit = {
    evaluated(predicate) += 1
    if (answer) passed(predicate) += 1
    nanos(predicate) += time
  }

  def rank(): Unit = synchronized {
    val costs = nanos.zip(evaluated).map { case (n, a) => n.toDouble / math.max(1, a) }
    for (k <- ranks.indices) {
      val drops = 1 - passed(k).toDouble / math.max(1, evaluated(k))
      val rank = costs(k) / costs.max / math.max(drops, 1e-9)
      ranks(k) = PrototypeState.Momentum * ranks(k) + (1 - PrototypeState.Momentum) * rank
    }
    current = current.sortBy(ranks(_))
  }
}

object PrototypeState {
  val CollectRate = 1000
  val CalculateRate = 1000000
  val Momentum = 0.3
}
