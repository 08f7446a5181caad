// SPDX-License-Identifier: Apache-2.0
package io.sparksieve.differential

import org.apache.spark.sql.internal.SQLConf

/** Random confs for each query. None may change the rows, except for the errors of ANSI mode. */
object Settings {

  /** Rules that a user may exclude; without them, plans have other shapes. */
  private val Optional = Seq(
    "PushDownPredicates",
    "InferFiltersFromConstraints",
    "ColumnPruning",
    "CollapseProject",
    "ConstantFolding",
    "NullPropagation",
    "BooleanSimplification",
    "SimplifyConditionals",
    "OptimizeIn",
    "PropagateEmptyRelation",
    "RemoveNoopOperators",
    "PushDownLeftSemiAntiJoin",
    "CombineUnions",
    "UnwrapCastInBinaryComparison",
    "PruneFilters",
    "FoldablePropagation",
    "ConstantPropagation",
    "ReorderAssociativeOperator",
    "ReplaceNullWithFalseInPredicate",
    "SimplifyBinaryComparison",
    "LikeSimplification",
    "EliminateOuterJoin",
    "EliminateSorts",
    "EliminateLimits",
    "LimitPushDown",
    "CombineFilters",
    "RemoveRedundantAggregates",
    "OptimizeOneRowPlan",
    "ReplaceExceptWithFilter"
  )

  /** Time zones that skipped days or hours, and one with an odd offset. */
  private val Zones =
    Seq("Pacific/Apia", "America/Sao_Paulo", "Asia/Kathmandu", "Europe/London")

  def random(dice: Dice): Map[String, String] = {
    // Generating and compiling Java code takes most of a query's time.
    val compiled = dice.chance(12)
    val some = Map(
      SQLConf.ADAPTIVE_EXECUTION_ENABLED.key -> dice.chance(50).toString,
      SQLConf.ANSI_ENABLED.key -> dice.chance(50).toString,
      // One partition needs no shuffle, and is quicker.
      SQLConf.SHUFFLE_PARTITIONS.key -> dice.weighted(60 -> "1", 40 -> "2"),
      SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> compiled.toString,
      SQLConf.CODEGEN_FACTORY_MODE.key ->
        (if (compiled) "FALLBACK" else dice.weighted(88 -> "NO_CODEGEN", 12 -> "CODEGEN_ONLY"))
    )
    // ConvertToLocalRelation would evaluate small tables during planning.
    val rules = (if (dice.chance(60)) Seq("ConvertToLocalRelation") else Nil) ++
      (if (dice.chance(12)) dice.some(Optional, dice.between(1, 3)) else Nil)
    val excluded =
      if (rules.isEmpty) Map.empty
      else
        Map(
          SQLConf.OPTIMIZER_EXCLUDED_RULES.key ->
            rules.map("org.apache.spark.sql.catalyst.optimizer." + _).mkString(","))
    val joins =
      if (dice.chance(30)) Map(SQLConf.AUTO_BROADCASTJOIN_THRESHOLD.key -> "-1") else Map.empty
    val zone = dice.sometimes(10, SQLConf.SESSION_LOCAL_TIMEZONE.key, Zones: _*)
    val ids =
      if (dice.chance(10)) Map(SQLConf.PARQUET_FIELD_ID_READ_ENABLED.key -> "true") else Map.empty
    val v2 = dice.sometimes(6, SQLConf.USE_V1_SOURCE_LIST.key, "", "csv")
    some ++ excluded ++ joins ++ zone ++ ids ++ v2 ++ wide(dice) ++ switches(dice) ++ unusual(dice)
  }

  /** Settings that are off by default: the behaviour of older versions, names by case, and costs. */
  private def unusual(dice: Dice): Map[String, String] =
    Seq(
      "spark.sql.legacy.nullInEmptyListBehavior" -> "true",
      "spark.sql.legacy.sizeOfNull" -> "true",
      "spark.sql.legacy.inSubqueryNullability" -> "true",
      SQLConf.CASE_SENSITIVE.key -> "true",
      SQLConf.CBO_ENABLED.key -> "true"
    ).filter(_ => dice.chance(3)).toMap

  /** Spark does not use whole-stage code generation for operators with more fields than this. */
  private def wide(dice: Dice) =
    if (dice.chance(10))
      Map(
        SQLConf.WHOLESTAGE_MAX_NUM_FIELDS.key -> "1",
        SQLConf.WHOLESTAGE_CODEGEN_ENABLED.key -> "true")
    else Map.empty[String, String]

  /** Spark's own switches, which Sieve must respect too. */
  private def switches(dice: Dice): Map[String, String] =
    Seq(
      SQLConf.PARQUET_FILTER_PUSHDOWN_ENABLED.key -> 12,
      SQLConf.ORC_FILTER_PUSHDOWN_ENABLED.key -> 8,
      SQLConf.CSV_FILTER_PUSHDOWN_ENABLED.key -> 4,
      SQLConf.JSON_FILTER_PUSHDOWN_ENABLED.key -> 4,
      SQLConf.IN_MEMORY_PARTITION_PRUNING.key -> 30,
      SQLConf.PARQUET_VECTORIZED_READER_ENABLED.key -> 12,
      SQLConf.ORC_VECTORIZED_READER_ENABLED.key -> 12,
      SQLConf.CONSTRAINT_PROPAGATION_ENABLED.key -> 7,
      SQLConf.SUBEXPRESSION_ELIMINATION_ENABLED.key -> 7,
      SQLConf.OPTIMIZE_NULL_AWARE_ANTI_JOIN.key -> 7,
      SQLConf.NESTED_SCHEMA_PRUNING_ENABLED.key -> 4
    ).collect { case (key, percent) if dice.chance(percent) => key -> "false" }.toMap
}
