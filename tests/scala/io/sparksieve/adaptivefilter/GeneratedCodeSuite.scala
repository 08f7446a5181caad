// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.adaptivefilter

import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator
import org.apache.spark.sql.execution.{FileSourceScanExec, WholeStageCodegenExec}
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.adaptivefilter.codegen.GenerateBatchPredicates
import io.sparksieve.adaptivefilter.exec.{AdaptiveFilter, BatchFilter}
import io.sparksieve.adaptivefilter.predicate.Conjuncts

/** Generated methods stay small enough for the just-in-time compiler: below 8,000 bytecodes. */
class GeneratedCodeSuite extends AdaptiveFilterTest {

  private val Limit = 8000

  private def where(n: Int): String = (1 to n)
    .map {
      case k if k % 4 == 0 => s"s RLIKE '^[0-9a-z]{0,$k}'"
      case k if k % 4 == 1 => s"(cpu > ${k % 3} OR substring(s, 1, $k) LIKE '%$k%' OR d < $k)"
      case k if k % 4 == 2 => s"concat(s, '$k') <> '$k'"
      case k => s"id + $k > memory - 100 * hour"
    }
    .mkString(" AND ")

  for {
    n <- Seq(4, 16, 40)
    vectorized <- Seq("true", "false")
  } test(s"$n predicates: batches $vectorized") {
    withConf(SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> vectorized) {
      val ran = assertAdaptive(sql(s"SELECT id FROM logs WHERE ${where(n)}"))
      val stages = collect(ran.plan) {
        case w: WholeStageCodegenExec if w.exists(_.isInstanceOf[AdaptiveFilter]) => w
      }
      assert(stages.nonEmpty, ran.plan)
      stages.foreach { stage =>
        val size = CodeGenerator.compile(stage.doCodeGen()._2)._2.maxMethodCodeSize
        assert(size < Limit, s"$n predicates: $size bytecodes")
      }
      if (vectorized == "true") {
        val scan = collect(ran.plan) { case s: FileSourceScanExec => s }.head
        val conjuncts = Conjuncts.of(ran.filters.head.condition, scan.output)
        val flat = BatchFilter.flat(conjuncts)
        assert(GenerateBatchPredicates(flat, scan.output, scan.vectorTypes, Limit).nonEmpty)
      }
    }
  }
}
