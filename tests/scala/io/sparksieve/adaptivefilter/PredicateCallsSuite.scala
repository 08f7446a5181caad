// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{And, EndsWith, Expression, Literal, StartsWith}
import org.apache.spark.sql.catalyst.expressions.codegen.{Block, CodegenContext, ExprCode}
import org.apache.spark.sql.catalyst.expressions.codegen.Block.BlockHelper
import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.exec.AdaptiveFilter
import io.sparksieve.adaptivefilter.learn.FilterStates
import io.sparksieve.compat.SparkCompat

/** The number of rows for which a predicate is really evaluated, counted by the predicate. */
class PredicateCallsSuite extends AdaptiveFilterTest {

  for ((mode, settings) <- Seq(
      "batches" -> Nil,
      "rows" -> Seq(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false"),
      "rows without generated code" -> Seq(
        SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false",
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
        SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN"
      )
    ))
    test(
      s"what drops nothing is evaluated for few rows more than the other predicate keeps: $mode") {
      withConf(settings :+ (SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false"): _*) {
        FilterStates.clear()
        val logs = spark.table("logs").queryExecution.analyzed
        val s = logs.output.find(_.name == "s").get
        val all = new CountedStartsWith(s, Literal(""))
        val query = Filter(And(all, EndsWith(s, Literal("7"))), logs)
        val plan = SparkCompat.plan(spark, query).executedPlan
        assert(plan.exists(_.isInstanceOf[AdaptiveFilter]), plan)
        CountedStartsWith.calls.set(0)
        val kept = notFailingToCompile(plan.executeCollect().length)
        assert(kept == 2000, plan)
        val calls = CountedStartsWith.calls.get
        assert(calls >= kept && calls < 10000, s"evaluated $calls rows of 20000\n$plan")
      }
    }
}

/** True for every row; counts the rows for which it is evaluated. */
private final class CountedStartsWith(l: Expression, r: Expression) extends StartsWith(l, r) {

  override def eval(row: InternalRow): Any = {
    CountedStartsWith.call()
    super.eval(row)
  }

  override def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode = {
    val made = super.doGenCode(ctx, ev)
    val count: Block = code"io.sparksieve.adaptivefilter.CountedStartsWith$$.MODULE$$.call();"
    made.copy(code = count + made.code)
  }

  override protected def withNewChildrenInternal(l: Expression, r: Expression): CountedStartsWith =
    new CountedStartsWith(l, r)
}

private object CountedStartsWith {
  val calls = new AtomicLong

  def call(): Unit = {
    calls.incrementAndGet()
    ()
  }
}
