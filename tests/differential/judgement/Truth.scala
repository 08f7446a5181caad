// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential.judgement

import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.{LeafNode, LocalRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.sieve.Unoptimized
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.internal.SQLConf

import io.sparksieve.Confs
import io.sparksieve.compat.SparkCompat
import io.sparksieve.conf.SieveConf
import io.sparksieve.differential.{Answer, Value}
import io.sparksieve.differential.table.Shrinking

/**
 * Evaluates a query by its definition. Each source is read completely, without push-down, and the
 * query is evaluated over those rows as it is written, by interpreted evaluation. Neither
 * statistics of sources nor rules of the optimizer take part, except for the non-excludable rules
 * and those in `Kept`.
 */
final class Truth(spark: SparkSession) {

  private val known = mutable.Map.empty[Any, Seq[InternalRow]]

  private lazy val plainly: Map[String, String] =
    Truth.Switches + (SQLConf.OPTIMIZER_EXCLUDED_RULES.key -> Unoptimized
      .rules(spark.sessionState.optimizer)
      .filterNot(r => Truth.Kept.exists(k => r.endsWith(k)))
      .mkString(","))

  /** Forgets the rows of all sources, so that they are read again. */
  def forget(): Unit = known.clear()

  /** The rows of SQL text. */
  def apply(sql: String): Answer = {
    spark.conf.set(SieveConf.ENABLED.key, "false")
    of(spark.sql(sql))
  }

  private def of(query: DataFrame): Answer = {
    // Cached data is read from the cache, even if its source has changed.
    val plan = query.queryExecution.withCachedData
    val schema = query.schema.map(_.dataType)
    val local = plan.transformUpWithSubqueries {
      case r: LogicalRelation => held(r, source(r))
      case r: DataSourceV2Relation => held(r, (r.table, r.identifier, r.output.map(_.name)))
      case r: InMemoryRelation => held(r, (r.cacheBuilder, r.output.map(_.name)))
    }
    Answer(schema, run(local).map(Value.row(_, schema)))
  }

  private def held(leaf: LeafNode, source: Any): LogicalPlan = {
    val key = (source, Truth.Reading.map(entry => spark.conf.get(entry.key)))
    LocalRelation(leaf.output, known.getOrElseUpdate(key, run(leaf)))
  }

  // Two file indexes of one path are equal, but may have listed it at different times.
  private def source(r: LogicalRelation): Any = r.relation match {
    case files: HadoopFsRelation =>
      val columns = r.output.map(a => (a.name, a.dataType))
      (files.location.inputFiles.toSeq.sorted, columns, files.options)
    case other => (System.identityHashCode(other), r.output)
  }

  private def run(plan: LogicalPlan): Seq[InternalRow] =
    Confs.during(spark, plainly) {
      Shrinking.restart()
      val query = SparkCompat.plan(spark, Unoptimized.analyzed(plan))
      val planned = query.executedPlan
      Runs.underItsConfs(query)(planned.executeCollect()).toVector
    }
}

object Truth {

  /**
   * Rules that only evaluate, or that are necessary to run a plan or to compare collated strings.
   */
  private val Kept = Seq(
    "ConvertToLocalRelation",
    "InlineCTE",
    "RewriteWithExpression",
    "RewriteCollationJoin",
    "RewriteAsOfJoin",
    "PullOutGroupingExpressions")

  /** Confs that change the rows of a source. */
  private val Reading =
    Seq(SQLConf.SESSION_LOCAL_TIMEZONE, SQLConf.PARQUET_FIELD_ID_READ_ENABLED)

  /** Confs under which nothing is pushed into a source. */
  val NoPushDown: Map[String, String] = Map(
    SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.CSV_FILTER_PUSHDOWN_ENABLED.key -> "false",
    SQLConf.JSON_FILTER_PUSHDOWN_ENABLED.key -> "false"
  )

  private val Switches: Map[String, String] = NoPushDown ++ Map(
    SQLConf.IN_MEMORY_PARTITION_PRUNING.key -> "false",
    SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> "false",
    SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> "false",
    SQLConf.REPLACE_EXCEPT_WITH_FILTER.key -> "false",
    SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> "false",
    SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "false",
    SQLConf.CODEGEN_FACTORY_MODE.key -> "NO_CODEGEN",
    SQLConf.SUBEXPRESSION_ELIMINATION_ENABLED.key -> "false",
    SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key -> "false",
    SQLConf.DYNAMIC_PARTITION_PRUNING_ENABLED.key -> "false",
    SQLConf.RUNTIME_BLOOM_FILTER_ENABLED.key -> "false",
    SQLConf.OPTIMIZE_NULL_AWARE_ANTI_JOIN.key -> "false",
    SQLConf.EXCHANGE_REUSE_ENABLED.key -> "false",
    SQLConf.SHUFFLE_PARTITIONS.key -> "1",
    SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "10MB"
  )
}
